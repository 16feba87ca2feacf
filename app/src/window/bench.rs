//! How fast the window draws: the real window, the software renderer, no display.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use index::search::Meaning;
use index::{Location, NodeKey, TreeNode};
use metadata::Language;
use serde::Serialize;
use slint::platform::software_renderer::{MinimalSoftwareWindow, PremultipliedRgbaColor, RepaintBufferType};
use slint::platform::{Platform, PlatformError, WindowAdapter, WindowEvent};
use slint::{ComponentHandle, LogicalPosition, Model, PhysicalSize};

use super::controller::Controller;
use super::ui::App;

/// Size of the window in pixels.
pub const SIZE: (u32, u32) = (1280, 800);
/// Rows of the tree that is scrolled.
pub const ROWS: usize = 20_000;
/// Steps of the scrolling.
pub const STEPS: usize = 200;

/// What was measured; times in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Open rows of the tree.
    pub rows: usize,
    /// Frames drawn.
    pub frames: usize,
    /// Median of a frame: the event, bindings, layout, drawing.
    pub median: f64,
    /// 95th percentile.
    pub p95: f64,
    /// The slowest frame.
    pub slowest: f64,
    /// From an empty process to the first frame, without an index.
    pub first_frame: f64,
    /// From the call to the frame that shows the tree of an index; None without one.
    pub project_frame: Option<f64>,
}

struct Headless {
    window: Rc<MinimalSoftwareWindow>,
    start: Instant,
}

impl Platform for Headless {
    fn create_window_adapter(&self) -> Result<Rc<dyn WindowAdapter>, PlatformError> {
        Ok(Rc::clone(&self.window) as Rc<dyn WindowAdapter>)
    }

    fn duration_since_start(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Draws 200 steps of scrolling over a tree of 20,000 open rows, and opens `location` if there is one.
///
/// # Errors
/// If the process has a window already, or a thread can't be started.
pub fn run(location: Option<Location>) -> anyhow::Result<Figures> {
    let start = Instant::now();
    let window = MinimalSoftwareWindow::new(RepaintBufferType::ReusedBuffer);
    let platform = Headless { window: Rc::clone(&window), start };
    slint::platform::set_platform(Box::new(platform)).context("this process has a window already")?;
    let controller = Controller::new(App::new()?, Language::Russian, Meaning::none("not measured"), Arc::new(|| {}))?;
    window.set_size(PhysicalSize::new(SIZE.0, SIZE.1));
    controller.app().show()?;
    let mut screen = Screen::new(window);
    screen.frame();
    let first_frame = milliseconds(start.elapsed());

    let project_frame = location.map(|location| {
        let opened = Instant::now();
        controller.start(None, Some(location));
        while controller.tree().row_count() == 0 && opened.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(1));
            controller.pump();
        }
        screen.frame();
        milliseconds(opened.elapsed())
    });

    grow(&controller);
    screen.frame();
    let mut frames = scroll(&mut screen);
    controller.stop();
    frames.sort_by(f64::total_cmp);
    let at = |share: f64| {
        frames.get(((frames.len() as f64 * share).ceil() as usize).saturating_sub(1)).copied().unwrap_or(0.0)
    };
    Ok(Figures {
        rows: controller.tree().row_count(),
        frames: frames.len(),
        median: at(0.5),
        p95: at(0.95),
        slowest: at(1.0),
        first_frame,
        project_frame,
    })
}

/// Opens a kind with as many objects as are wanted.
fn grow(controller: &Controller) {
    let key = NodeKey::Kind("Catalog".to_owned());
    let node = |key, label: String, full_name: String, kind: &str, children| TreeNode {
        key,
        label,
        full_name,
        kind: kind.to_owned(),
        detail: String::new(),
        children,
    };
    let rows = u32::try_from(ROWS - 1).unwrap_or(u32::MAX);
    controller.tree().set_root(vec![node(key.clone(), "Catalog".to_owned(), String::new(), "group", rows)]);
    let object = |number: u32| {
        let label = format!("НоменклатураПоставщиков{number}");
        let full_name = format!("Catalog.{label}");
        TreeNode {
            detail: format!("Номенклатура поставщиков {number}"),
            ..node(NodeKey::Object(number), label, full_name, "Catalog", 4)
        }
    };
    controller.tree().insert(&key, (0..rows).map(object).collect());
}

/// The time of each frame that was drawn, in milliseconds. Most steps are a turn of the wheel; every tenth is a leap of pages.
fn scroll(screen: &mut Screen) -> Vec<f64> {
    let position = LogicalPosition::new(150.0, 400.0);
    let window = Rc::clone(&screen.window);
    window.dispatch_event(WindowEvent::PointerMoved { position });
    screen.frame();
    (0..STEPS)
        .filter_map(|step| {
            let delta_y = if step % 10 == 9 { -6000.0 } else { -72.0 };
            let start = Instant::now();
            window.dispatch_event(WindowEvent::PointerScrolled { position, delta_x: 0.0, delta_y });
            let drawn = screen.frame();
            drawn.then(|| milliseconds(start.elapsed()))
        })
        .collect()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The pixels.
struct Screen {
    window: Rc<MinimalSoftwareWindow>,
    pixels: Vec<PremultipliedRgbaColor>,
}

impl Screen {
    fn new(window: Rc<MinimalSoftwareWindow>) -> Self {
        let count = SIZE.0 as usize * SIZE.1 as usize;
        Self { window, pixels: vec![PremultipliedRgbaColor::default(); count] }
    }

    /// Draws what changed; true if anything did.
    fn frame(&mut self) -> bool {
        slint::platform::update_timers_and_animations();
        let pixels = self.pixels.as_mut_slice();
        self.window.draw_if_needed(|renderer| {
            renderer.render(pixels, SIZE.0 as usize);
        })
    }
}
