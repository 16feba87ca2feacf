//! `cargo xtask fuzz READER`: tries a reader with damaged files for a while, in an optimised build with checks.

use crate::cargo::{cargo, root, run};
use anyhow::Result;
use std::path::PathBuf;

/// What is wanted.
pub struct Plan {
    /// Name of the reader.
    pub reader: String,
    pub minutes: u64,
    /// Another seed gives other inputs.
    pub seed: u64,
    /// Number of the first input: to come back to one.
    pub first: u64,
    /// Dumps that seeds are taken from, beside the demo.
    pub dumps: Vec<PathBuf>,
}

/// Inputs that are findings stay in `target/findings/READER`, with a list of what they are.
pub fn command(plan: Plan) -> Result<()> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--profile", "fuzz", "--package", "metascope-fuzz", "--", &plan.reader]);
    command.args([plan.minutes * 60, plan.seed, plan.first].map(|number| number.to_string()));
    command.arg(root().join("target").join("findings"));
    command.args([support::demo(), support::demo_edt()]);
    for dump in plan.dumps {
        // Relative to where the user stands; the program runs in the root of the workspace.
        command.arg(std::path::absolute(dump)?);
    }
    run(&mut command)
}
