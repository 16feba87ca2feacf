//! The window in a test: no display, no event loop; what a person does is done through the accessible elements and keys.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use i_slint_backend_testing::{ElementHandle, init_no_event_loop, mock_elapsed_time};
use index::search::Meaning;
use metadata::Language;
use metascope::window::controller::Controller;
use metascope::window::ui::{App, Desk};
use slint::platform::{Key, WindowEvent};
use slint::{ComponentHandle, SharedString};

/// Lets timers pass and workers finish.
pub fn settle(controller: &Controller) {
    let end = Instant::now() + Duration::from_secs(60);
    let mut quiet = 0;
    while quiet < 3 {
        mock_elapsed_time(Duration::from_millis(500));
        slint::platform::update_timers_and_animations();
        controller.pump();
        quiet = if controller.pending() == 0 { quiet + 1 } else { 0 };
        assert!(Instant::now() < end, "work does not come to an end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A window without a display.
pub fn window() -> Rc<Controller> {
    init_no_event_loop();
    let app = App::new().unwrap();
    app.window().set_size(slint::PhysicalSize::new(1280, 800));
    let controller = Controller::new(app, Language::Russian, Meaning::none("a test"), Arc::new(|| {})).unwrap();
    controller.app().show().unwrap();
    controller
}

/// What the markup knows.
pub fn desk(controller: &Controller) -> Desk<'_> {
    controller.app().global::<Desk<'_>>()
}

/// Something on the screen, by the name that a screen reader says.
pub fn element(controller: &Controller, label: &str) -> ElementHandle {
    ElementHandle::find_by_accessible_label(controller.app(), label)
        .next()
        .unwrap_or_else(|| panic!("nothing on the screen is called {label}"))
}

/// Presses a button.
pub fn click(controller: &Controller, label: &str) {
    element(controller, label).invoke_accessible_default_action();
    settle(controller);
}

/// Presses a key.
pub fn key(controller: &Controller, text: impl Into<SharedString>) {
    let text = text.into();
    let window = controller.app().window();
    window.dispatch_event(WindowEvent::KeyPressed { text: text.clone() });
    window.dispatch_event(WindowEvent::KeyReleased { text });
    settle(controller);
}

/// Presses a key with another held down.
pub fn key_with(controller: &Controller, modifier: Key, text: impl Into<SharedString>) {
    controller.app().window().dispatch_event(WindowEvent::KeyPressed { text: modifier.into() });
    key(controller, text);
    controller.app().window().dispatch_event(WindowEvent::KeyReleased { text: modifier.into() });
}

/// Whether something on the screen has that name.
pub fn is_shown(controller: &Controller, label: &str) -> bool {
    ElementHandle::find_by_accessible_label(controller.app(), label).next().is_some()
}

/// Lets work go on until something is so.
pub fn until(controller: &Controller, what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "{what} does not come");
        mock_elapsed_time(Duration::from_millis(20));
        slint::platform::update_timers_and_animations();
        controller.pump();
        std::thread::sleep(Duration::from_millis(2));
    }
}
