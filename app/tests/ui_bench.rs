//! The bench of the window runs, over the real window, and its figures are sound; a release build must hold the bar of
//! one frame in 16 ms. In a file of its own: a process has one platform.
#![cfg(feature = "desktop")]

use metascope::window::bench::{ROWS, STEPS, run};

/// Longest frame of 95 in 100, in milliseconds.
const BAR: f64 = 16.0;

#[test]
fn scrolling_twenty_thousand_rows() {
    let figures = run(None).unwrap();
    println!("{figures:?}");
    assert_eq!((figures.rows, figures.frames), (ROWS, STEPS));
    assert!(figures.median > 0.0 && figures.median <= figures.p95 && figures.p95 <= figures.slowest);
    if !cfg!(debug_assertions) {
        assert!(figures.p95 <= BAR, "{figures:?}");
    }
}
