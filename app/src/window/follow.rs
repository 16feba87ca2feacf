//! The window follows the files: when something in the open project changed and it is quiet again, its index is updated.

use std::path::Path;
use std::sync::Arc;

use index::build::Stop;
use index::watch::{Changes, Waited};

use super::controller::Controller;

/// Follows the files of one project until it is dropped.
pub(super) struct Follower(Arc<Stop>);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Controller {
    /// Follows the files of the open project, if it isn't followed already.
    pub(super) fn follow(&self, root: &Path) {
        if self.state.borrow().follower.is_some() {
            return;
        }
        let stop = Arc::new(Stop::default());
        let (post, root, asked) = (self.post.clone(), root.to_path_buf(), Arc::clone(&stop));
        let location = self.state.borrow().location.clone();
        let work = move || {
            // With the extensions and external processors that the index remembers.
            let known = location.and_then(|location| index::build::folders(&root, &location).ok());
            let mut changes = Changes::of(&known.unwrap_or_else(|| vec![root]));
            // They may have changed while nobody looked.
            post.send(Self::keep_in_step);
            while changes.wait(&asked) == Waited::Changed {
                if asked.is_asked() {
                    break;
                }
                post.send(Self::keep_in_step);
            }
        };
        // Without it the index is updated when the person asks for it.
        if std::thread::Builder::new().name("follow".to_owned()).spawn(work).is_ok() {
            self.state.borrow_mut().follower = Some(Follower(stop));
        }
    }
}
