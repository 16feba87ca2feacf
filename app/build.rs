//! Packs the demo configuration, and compiles the window's markup.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let target = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("demo.tar.z");
    if let Err(error) = pack_demo(Path::new("../corpus/demo"), &target) {
        panic!("corpus/demo: {error}");
    }
    #[cfg(feature = "desktop")]
    desktop::compile();
}

/// Packs a folder so that the same files always give the same bytes.
fn pack_demo(folder: &Path, target: &Path) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let file = flate2::write::ZlibEncoder::new(fs::File::create(target)?, flate2::Compression::best());
    let mut archive = tar::Builder::new(file);
    pack(folder, Path::new(""), &mut archive)?;
    archive.into_inner()?.finish()?.sync_all()
}

fn pack<W: std::io::Write>(folder: &Path, inside: &Path, archive: &mut tar::Builder<W>) -> std::io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = inside.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            pack(&entry.path(), &path, archive)?;
            continue;
        }
        let bytes = fs::read(entry.path())?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, bytes.as_slice())?;
    }
    Ok(())
}

#[cfg(feature = "desktop")]
mod desktop {
    /// Compiles `ui/app.slint`. Element ids are kept in debug builds: the UI tests find elements by them.
    pub fn compile() {
        let debug = std::env::var("PROFILE").is_ok_and(|profile| profile == "debug");
        let configuration =
            slint_build::CompilerConfiguration::new().with_style("fluent".into()).with_debug_info(debug);
        if let Err(error) = slint_build::compile_with_config("ui/app.slint", configuration) {
            panic!("ui/app.slint: {error}");
        }
    }
}
