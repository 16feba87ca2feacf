//! Compiles the window's markup.

fn main() {
    #[cfg(feature = "desktop")]
    desktop::compile();
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
