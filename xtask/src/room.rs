//! How much room the disk has for a build of everything with its tests.

use crate::cargo::root;

/// What a clean build of all tests, the lints and the files that tests write take, with line tables, in bytes: estimated from
/// some eighty test programs of 110 MB and what they are linked from.
const NEEDED: u64 = 14_000_000_000;

/// Says so when the disk may run full: a linker that finds no room says it in words that don't tell.
pub fn tell() {
    if let Some(message) = free().and_then(|free| lacking(free, built_already())) {
        eprintln!("xtask: {message}");
    }
}

fn lacking(free: u64, built: bool) -> Option<String> {
    (!built && free < NEEDED).then(|| {
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        format!(
            "the disk has {:.1} GB left, a clean build with all tests takes up to {:.0} GB: make room, or build without debug \
             information (CARGO_PROFILE_DEV_DEBUG=none), which takes half",
            gigabytes(free),
            gigabytes(NEEDED)
        )
    })
}

/// A folder of an earlier build holds most of it already.
fn built_already() -> bool {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    target.join("debug/deps").is_dir()
}

/// Bytes that are free where the workspace lies.
#[cfg(unix)]
fn free() -> Option<u64> {
    let system = rustix::fs::statvfs(root()).ok()?;
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

#[cfg(not(unix))]
fn free() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_disk_is_told_before_a_clean_build() {
        let message = lacking(3_000_000_000, false).unwrap();
        assert!(message.contains("3.0 GB left") && message.contains("14 GB"), "{message}");
        assert_eq!(lacking(3_000_000_000, true), None);
        assert_eq!(lacking(NEEDED, false), None);
    }

    #[cfg(unix)]
    #[test]
    fn the_disk_of_the_workspace_is_asked() {
        assert!(free().is_some());
    }
}
