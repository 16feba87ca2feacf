//! The window as a whole: what is open, and where results go. The other modules add to [`Controller`] what they are about.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

use agent::image::Image;
use index::build::Stop;
use index::search::Meaning;
use index::{Location, MethodRow};
use metadata::Language;
use paths::Places;
use slint::{ComponentHandle, Model, ModelRc, SharedString, Timer, VecModel};

use super::buffer::{Match, Position};
use super::chat::AgentThread;
use super::edits::Settle;
use super::follow::Follower;
use super::keys::Press;
use super::lines::{LinesModel, to_i32};
use super::navigation::{History, Spot};
use super::seek::Names;
use super::sent::Request;
use super::sides::PanesModel;
use super::tree::{Toggle, TreeModel};
use super::ui::{
    App, ChatRow, Desk, EdgeItem, EditRow, FactRow, FindingRow, HitRow, L, PictureLine, PictureNode, ProjectRow,
    SentRow, Theme,
};
use super::worker::{Apply, Latest, Post, Ticket, Worker};

/// What is open.
#[derive(Default)]
pub(super) struct State {
    /// Folder of the dump.
    pub root: Option<PathBuf>,
    /// Its index.
    pub location: Option<Location>,
    /// The open file, relative to the root; empty if none is.
    pub file: String,
    /// Full name of the open module; empty if the file is none.
    pub module: String,
    /// Methods of the open module, in source order.
    pub methods: Vec<MethodRow>,
    /// The fixed end of the selection.
    pub anchor: Position,
    /// The caret: the moving end.
    pub caret: Position,
    /// Column as shown that moving up and down keeps to.
    pub goal: Option<usize>,
    /// Places of the text searched for in the module.
    pub matches: Vec<Match>,
    /// Where the person has been.
    pub history: History,
    /// What the panel of links is about.
    pub subject: String,
    /// What the picture of links had in its centre, the last one now.
    pub pictured: Vec<String>,
    /// Stops the build that runs.
    pub build: Option<Arc<Stop>>,
    /// Something changed while it ran: it is due again.
    pub again: bool,
    /// Follows the files of the open project.
    pub follower: Option<Follower>,
    /// The agent of the open project.
    pub agent: Option<AgentThread>,
    /// Rows of the chat by the ids of their tool calls.
    pub calls: Vec<(String, usize)>,
    /// The row of the turn that runs.
    pub turn: Option<usize>,
    /// Images that go with the next question.
    pub images: Vec<Image>,
    /// What was sent to models, as it was read last.
    pub sent: Vec<Request>,
    /// The text that was typed into the search.
    pub query: String,
    /// A place to go to as soon as the index is open.
    pub then: Option<Spot>,
}

impl State {
    /// Rows of the chat are others now.
    pub fn forget_rows(&mut self) {
        self.calls.clear();
        self.turn = None;
    }
}

/// Questions of which only the newest matters.
#[derive(Default)]
pub(super) struct Asked {
    pub open: Latest,
    pub links: Latest,
    pub picture: Latest,
    pub filter: Latest,
    pub search: Latest,
    pub edits: Latest,
    pub edit: Latest,
    /// The agent: of one that another has replaced nothing is shown.
    pub agent: Latest,
}

/// Timers that wait until a person rests.
#[derive(Default)]
pub(super) struct Rests {
    pub links: Timer,
    pub filter: Timer,
    pub search: Timer,
}

/// Models that the window shows and that change as a whole or at their end.
#[derive(Default)]
pub(super) struct Models {
    pub edges: Rc<VecModel<EdgeItem>>,
    pub passport: Rc<VecModel<FactRow>>,
    pub picture_nodes: Rc<VecModel<PictureNode>>,
    pub picture_lines: Rc<VecModel<PictureLine>>,
    pub hits: Rc<VecModel<HitRow>>,
    pub chat: Rc<VecModel<ChatRow>>,
    pub recent: Rc<VecModel<ProjectRow>>,
    pub edits: Rc<VecModel<EditRow>>,
    pub findings: Rc<VecModel<FindingRow>>,
    pub sent: Rc<VecModel<SentRow>>,
    pub images: Rc<VecModel<SharedString>>,
    pub steps: Rc<VecModel<i32>>,
}

/// Lets the vectors of a new index be computed in the background; a reason why they are not.
pub type Embed = fn(&Location) -> Result<(), String>;

/// The window and everything behind it. Lives on the event loop's thread.
pub struct Controller {
    app: App,
    pub(super) tree: Rc<TreeModel>,
    pub(super) lines: Rc<LinesModel>,
    pub(super) panes: Rc<PanesModel>,
    pub(super) models: Models,
    pub(super) state: RefCell<State>,
    pub(super) asked: Asked,
    pub(super) rests: Rests,
    pub(super) post: Post,
    /// Tree, text, places.
    pub(super) browse: Worker,
    /// Links and passports: an empty answer takes its time to prove itself.
    pub(super) about: Worker,
    /// Search and filter.
    pub(super) seek: Worker,
    /// Changes that wait: reading, applying, taking back.
    pub(super) mend: Worker,
    pub(super) names: Arc<Names>,
    pub(super) meaning: Arc<Mutex<Meaning>>,
    places: RefCell<Option<Places>>,
    /// What is done about the vectors of an index that was built.
    pub(super) embed: Cell<Option<Embed>>,
    language: Cell<Language>,
    incoming: Receiver<Apply>,
    me: Weak<Controller>,
}

impl Controller {
    /// Binds a window. `wake` is called from other threads when [`Controller::pump`] has something to do; `meaning` is
    /// what search and agent look for meanings with.
    ///
    /// # Errors
    /// If a thread can't be started.
    pub fn new(
        app: App,
        language: Language,
        meaning: Meaning,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> std::io::Result<Rc<Self>> {
        let (post, incoming) = Post::new(wake);
        let (browse, about) = (Worker::start("browse", post.clone())?, Worker::start("about", post.clone())?);
        let (seek, mend) = (Worker::start("seek", post.clone())?, Worker::start("mend", post.clone())?);
        let controller = Rc::new_cyclic(|me| Self {
            app,
            tree: Rc::new(TreeModel::new(language)),
            lines: Rc::default(),
            panes: Rc::default(),
            models: Models::default(),
            state: RefCell::default(),
            asked: Asked::default(),
            rests: Rests::default(),
            post,
            browse,
            about,
            seek,
            mend,
            names: Arc::default(),
            meaning: Arc::new(Mutex::new(meaning)),
            places: RefCell::new(Places::of_user()),
            embed: Cell::new(None),
            language: Cell::new(language),
            incoming,
            me: me.clone(),
        });
        controller.bind();
        Ok(controller)
    }

    /// Says what to do about the vectors of an index that was built; nothing is done until then.
    pub fn embed_with(&self, embed: Embed) {
        self.embed.set(Some(embed));
    }

    /// Keeps models, the log of what is sent and indexes there instead of in the user's folder.
    pub fn keep_in(&self, places: Places) {
        *self.places.borrow_mut() = Some(places);
    }

    pub(super) fn places(&self) -> Option<Places> {
        self.places.borrow().clone()
    }

    /// The window.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// What the markup knows.
    pub fn desk(&self) -> Desk<'_> {
        self.app.global::<Desk<'_>>()
    }

    /// Applies the results that have come.
    pub fn pump(&self) {
        while let Ok(apply) = self.incoming.try_recv() {
            apply(self);
        }
    }

    /// Pieces of work under way, or done and not applied.
    pub fn pending(&self) -> usize {
        self.post.pending()
    }

    /// The rows of the tree.
    pub fn tree(&self) -> &TreeModel {
        &self.tree
    }

    /// The language of texts.
    pub fn language(&self) -> Language {
        self.language.get()
    }

    pub(super) fn pick<'text>(&self, ru: &'text str, en: &'text str) -> &'text str {
        super::labels::Pick::pick(self.language(), ru, en)
    }

    /// A line at the foot of the window.
    pub(super) fn say(&self, text: impl Into<slint::SharedString>) {
        self.desk().set_message(text.into());
    }

    pub(super) fn show_error(&self, error: &index::Error) {
        let hint = error.hint(self.language()).map_or_else(String::new, |hint| format!(" — {hint}"));
        self.say(format!("{}{hint}", error.message(self.language())));
    }

    /// A question that nothing outdates.
    pub(super) fn always() -> Ticket {
        Latest::default().next()
    }

    /// Stops what runs in the background.
    pub fn stop(&self) {
        let state = self.state.borrow();
        if let Some(build) = &state.build {
            build.stop();
        }
        if let Some(agent) = &state.agent {
            agent.cancel();
        }
    }

    /// Runs `what` on this window after a while without another call of the same timer.
    pub(super) fn after(&self, timer: &Timer, milliseconds: u64, what: impl Fn(&Self) + 'static) {
        let me = self.me.clone();
        let wait = std::time::Duration::from_millis(milliseconds);
        timer.start(slint::TimerMode::SingleShot, wait, move || me.upgrade().iter().for_each(|me| what(me)));
    }

    fn set_language(&self, language: Language) {
        self.language.set(language);
        self.app.global::<L<'_>>().set_ru(language == Language::Russian);
        self.tree.set_language(language);
        self.say("");
        self.show_counts();
        self.show_title();
        self.reset_agent();
        self.desk().set_edit_error("".into());
        self.list_edits();
        let subject = self.state.borrow().subject.clone();
        if !subject.is_empty() {
            self.ask_links(subject);
        }
    }

    fn bind(&self) {
        let (desk, models) = (self.desk(), &self.models);
        self.app.global::<L<'_>>().set_ru(self.language() == Language::Russian);
        let mono = if cfg!(windows) {
            "Consolas"
        } else if cfg!(target_os = "macos") {
            "Menlo"
        } else {
            "DejaVu Sans Mono"
        };
        self.app.global::<Theme<'_>>().set_mono(mono.into());
        self.app.set_version(env!("CARGO_PKG_VERSION").into());
        desk.set_tree(ModelRc::from(Rc::clone(&self.tree)));
        desk.set_lines(ModelRc::from(Rc::clone(&self.lines)));
        desk.set_edges(ModelRc::from(Rc::clone(&models.edges)));
        desk.set_passport(ModelRc::from(Rc::clone(&models.passport)));
        desk.set_picture_nodes(ModelRc::from(Rc::clone(&models.picture_nodes)));
        desk.set_picture_lines(ModelRc::from(Rc::clone(&models.picture_lines)));
        desk.set_hits(ModelRc::from(Rc::clone(&models.hits)));
        desk.set_chat(ModelRc::from(Rc::clone(&models.chat)));
        desk.set_edits(ModelRc::from(Rc::clone(&models.edits)));
        desk.set_edit_findings(ModelRc::from(Rc::clone(&models.findings)));
        desk.set_diff(ModelRc::from(Rc::clone(&self.panes)));
        desk.set_sent(ModelRc::from(Rc::clone(&models.sent)));
        desk.set_images(ModelRc::from(Rc::clone(&models.images)));
        desk.set_step_choices(ModelRc::from(Rc::clone(&models.steps)));
        desk.set_recent(ModelRc::from(Rc::clone(&models.recent)));

        /// `bind!(callback(arguments) => what a strong controller does)`
        macro_rules! bind {
            ($on:ident, |$me:ident $(, $arg:ident)*| $body:expr) => {{
                let me = self.me.clone();
                desk.$on(move |$($arg),*| me.upgrade().map(|$me| $body).unwrap_or_default());
            }};
        }
        bind!(on_open_project, |me, path| me.open_project(&path));
        bind!(on_open_demo, |me| me.open_demo());
        bind!(on_build, |me| me.build());
        bind!(on_stop_build, |me| me.stop_build());
        bind!(on_set_language, |me, ru| me.set_language(if ru { Language::Russian } else { Language::English }));
        bind!(on_toggle, |me, row| me.toggle(row));
        bind!(on_select, |me, row| me.select(row));
        bind!(on_filter, |me, text| me.filter(text.to_string()));
        bind!(on_press, |me, line, column, shift, control| me.press(line, column, shift, control));
        bind!(on_drag, |me, line, column| me.drag(line, column));
        bind!(on_select_word, |me, line, column| me.select_word(line, column));
        bind!(on_find, |me, text| me.find(&text));
        bind!(on_find_next, |me, forward| me.find_next(forward));
        bind!(on_go_to_line, |me, text| me.go_to_line(&text));
        bind!(on_back, |me| me.back());
        bind!(on_forward, |me| me.forward());
        bind!(on_focus_code, |me| me.app.invoke_focus_code());
        bind!(on_go, |me, name, file, line| me.go(&name, &file, line));
        bind!(on_draw, |me, name| me.draw(&name));
        bind!(on_draw_back, |me| me.draw_back());
        bind!(on_search, |me, text| me.search(text.to_string()));
        bind!(on_open_hit, |me, hit| me.open_hit(hit));
        bind!(on_ask, |me, question| me.ask_agent(question.to_string()));
        bind!(on_stop_asking, |me| me.stop_agent());
        bind!(on_go_on, |me| me.go_on());
        bind!(on_attach, |me, path| me.attach(&path));
        bind!(on_detach, |me, at| me.detach(at));
        bind!(on_show_sent, |me| me.show_sent());
        bind!(on_unfold_sent, |me, request| me.unfold_sent(request));
        bind!(on_show_edit, |me, id| me.show_edit(id));
        bind!(on_list_edits, |me| me.list_edits());
        bind!(on_apply_edit, |me| me.settle_edit(Settle::Apply));
        bind!(on_discard_edit, |me| me.settle_edit(Settle::Discard));
        bind!(on_undo_edit, |me| me.settle_edit(Settle::Undo));
        bind!(on_step_edit, |me, forward| me.step_edit(forward));
        bind!(on_set_by_itself, |me, on| me.apply_by_itself(on));
        bind!(on_diff_place, |me, row, forward| {
            to_i32(me.panes.place_from(usize::try_from(row).unwrap_or(0), forward))
        });
        bind!(on_code_key, |me, text, control, shift, alt| {
            Press::new(&text, control, shift, alt).is_some_and(|press| me.code_key(press))
        });
        bind!(on_shortcut, |me, text, control, shift, alt| {
            Press::new(&text, control, shift, alt).is_some_and(|press| me.shortcut(press))
        });
    }

    fn toggle(&self, row: i32) {
        let Ok(row) = usize::try_from(row) else { return };
        match self.tree.toggle(row) {
            Toggle::Done => {}
            Toggle::Closed(count) => self.move_choice(|chosen| match chosen {
                _ if chosen <= row => chosen,
                _ if chosen <= row + count => row,
                _ => chosen - count,
            }),
            Toggle::Load(key) => {
                let wanted = key.clone();
                self.browse.ask(
                    Self::always(),
                    move |index| index.tree(&wanted),
                    move |me, children| {
                        if let Some((row, count)) = me.tree.insert(&key, children) {
                            me.move_choice(|chosen| if chosen > row { chosen + count } else { chosen });
                        }
                    },
                );
            }
        }
    }

    /// Rows above the chosen one came or went: it is still the same thing.
    fn move_choice(&self, place: impl FnOnce(usize) -> usize) {
        if let Ok(chosen) = usize::try_from(self.desk().get_tree_current()) {
            self.desk().set_tree_current(to_i32(place(chosen)));
        }
    }

    fn select(&self, row: i32) {
        self.desk().set_tree_current(row);
        let Some(node) = usize::try_from(row).ok().and_then(|row| self.tree.node(row)) else { return };
        if !node.full_name.is_empty() {
            self.go(&node.full_name, "", 0);
        }
    }
}

/// Replaces all rows in one step.
pub(super) fn replace<T: Clone + 'static>(model: &VecModel<T>, rows: Vec<T>) {
    if model.row_count() > 0 || !rows.is_empty() {
        model.set_vec(rows);
    }
}
