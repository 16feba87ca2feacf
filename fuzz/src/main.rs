//! `metascope-fuzz READER SECONDS SEED FIRST OUT DUMP…`: what `cargo xtask fuzz` starts.

#![forbid(unsafe_code)]

use peak_alloc::PeakAlloc;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

fn main() -> anyhow::Result<()> {
    fuzz::supervise::main(&PEAK)
}
