//! `cargo xtask extension`: generates an extension of a configuration, to try the program on.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use support::extension::{Plan, generate};

/// Writes an extension of the dump `base` into the folder `target`, which must not be there yet, and says what it holds.
pub fn command(base: &Path, target: &Path, plan: Plan) -> Result<()> {
    ensure!(!target.exists(), "{} is there already", target.display());
    let made = generate(base, target, plan).with_context(|| format!("an extension of {}", base.display()))?;
    let drifted = made.annotated.iter().filter(|pair| pair.drifted);
    println!("{} methods with an annotation, {} handlers of forms", made.annotated.len(), made.handlers.len());
    for pair in drifted {
        println!("made for another text: {} of {}", pair.extension, pair.base);
    }
    Ok(())
}
