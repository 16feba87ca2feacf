//! The desktop window.
//!
//! The markup in `app/ui` and the program talk through the global `Desk` (`ui/desk.slint`): the program fills its
//! properties and answers its callbacks. Everything that reads the index or a file runs on threads of its own
//! ([`worker`]) and comes back as a closure that the event loop applies in one step.
//!
//! | module | what |
//! |---|---|
//! | [`buffer`] | the text of a file without any window: lines, colours, places, search |
//! | [`lines`], [`tree`] | the models behind the code view and the tree, which make rows as they come into view |
//! | [`controller`] | the window as a whole: what is open, where the results go |
//! | [`editor`], [`navigation`] | caret, selection, find; places, history, go to definition |
//! | [`links`], [`passport`] | rows of the panels |
//! | [`edits`], [`sides`] | changes that wait for a person; the model behind the two panes of one |
//! | [`sent`] | what was sent to models |
//! | [`picture`] | what surrounds a thing, drawn |
//! | [`seek`], [`chat`], [`prose`], [`project`] | search and filter; the agent, and its answers as text; opening and indexing |
//! | [`labels`], [`terms`] | what people read for kinds, channels and places; for types and events |
//! | [`bench`] | how fast it draws, without a display |

pub mod bench;
pub mod buffer;
mod chat;
pub mod controller;
mod editor;
mod edits;
mod follow;
mod keys;
pub mod labels;
mod lines;
mod links;
mod navigation;
mod passport;
mod picture;
mod project;
mod prose;
mod seek;
mod sent;
mod sides;
pub mod terms;
pub mod tree;
pub mod worker;

/// What the markup is compiled to.
#[allow(missing_docs, unsafe_code, clippy::all, clippy::todo, clippy::unwrap_used, rust_2018_idioms, unreachable_pub)]
pub mod ui {
    slint::include_modules!();
}

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::Context as _;
use controller::Controller;
use index::search::Meaning;
use slint::ComponentHandle;

thread_local! {
    /// The window of the event loop's thread: where the closures that workers send find it.
    static WINDOW: RefCell<Option<Rc<Controller>>> = const { RefCell::new(None) };
}

/// Opens the window and runs it until it is closed. `root` is the dump's folder, `location` the place of its index; with
/// neither the window asks for a project, with a root whose index is missing it builds one.
///
/// # Errors
/// If there is no display, or a thread can't be started.
pub fn run(
    root: Option<PathBuf>,
    location: Option<index::Location>,
    language: metadata::Language,
) -> anyhow::Result<()> {
    let app = ui::App::new().context("no window can be opened")?;
    let wake = Arc::new(|| {
        // An error means that the event loop is gone: nobody waits for the result.
        let _ = slint::invoke_from_event_loop(|| {
            WINDOW.with_borrow(|window| window.iter().for_each(|window| window.pump()))
        });
    });
    let controller = Controller::new(app, language, Meaning::of_user(None), wake).context("the window's threads")?;
    controller.embed_with(|location| crate::commands::embed::begin(location, true).map(drop));
    WINDOW.set(Some(Rc::clone(&controller)));
    controller.start(root, location);
    let outcome = controller.app().run().context("the window");
    controller.stop();
    WINDOW.set(None);
    outcome
}
