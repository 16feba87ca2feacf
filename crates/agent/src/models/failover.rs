//! A second model for the case that the first can't be reached.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::BoxFuture;

use super::Region;
use crate::message::Message;
use crate::model::{ChatModel, Delta, ModelError, Reply, Request, Sink};

/// Two models that look like one.
///
/// The second is asked only if nothing of an answer came from the first: not a word, not a thought, not a call. It is never in
/// another region: two models that would be can't be put together.
pub struct Failover {
    first: Arc<dyn ChatModel>,
    second: Arc<dyn ChatModel>,
}

impl Failover {
    /// Puts two models together.
    ///
    /// # Errors
    /// [`ModelError::Settings`] if the second would leave the region of the first.
    pub fn new(first: Arc<dyn ChatModel>, second: Arc<dyn ChatModel>) -> Result<Self, ModelError> {
        let (here, there) = (first.region(), second.region());
        if !here.covers(&there) {
            let (first, second) = (first.name(), second.name());
            let (here, there) = (here.code(), there.code());
            return Err(ModelError::Settings(format!(
                "{first} ({here}) can't fall back to {second} ({there}): that leaves the region"
            )));
        }
        Ok(Self { first, second })
    }

    async fn either(&self, request: Request<'_>, sink: Sink<'_>) -> Result<Reply, ModelError> {
        let received = AtomicBool::new(false);
        let watched = |delta: Delta| {
            if matches!(delta, Delta::Text(_) | Delta::Reasoning(_)) {
                received.store(true, Ordering::Relaxed);
            }
            sink(delta);
        };
        let error = match self.first.reply(request, &watched).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        let image = request.messages.iter().any(|message| matches!(message, Message::Image(_)));
        if received.load(Ordering::Relaxed) || !error.may_move() || (image && !self.second.takes_images()) {
            return Err(error);
        }
        sink(Delta::Moved { to: self.second.name().to_owned(), reason: error.to_string() });
        self.second.reply(request, sink).await
    }
}

impl ChatModel for Failover {
    fn name(&self) -> &str {
        self.first.name()
    }

    fn processed_at(&self) -> Option<&str> {
        self.first.processed_at()
    }

    fn region(&self) -> Region {
        self.first.region()
    }

    fn takes_images(&self) -> bool {
        self.first.takes_images()
    }

    fn context_tokens(&self) -> Option<u32> {
        // What fits into the smaller one fits into both.
        [self.first.context_tokens(), self.second.context_tokens()].into_iter().flatten().min()
    }

    fn follows_orders(&self) -> bool {
        self.first.follows_orders()
    }

    fn balance(&self) -> BoxFuture<'_, Option<String>> {
        self.first.balance()
    }

    fn reply<'a>(&'a self, request: Request<'a>, sink: Sink<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(self.either(request, sink))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Image;

    /// Fails or answers as told, after having said a word or not.
    struct Fixed {
        region: &'static str,
        word: bool,
        images: bool,
        result: Result<&'static str, ModelError>,
    }

    impl ChatModel for Fixed {
        fn name(&self) -> &str {
            self.region
        }
        fn processed_at(&self) -> Option<&str> {
            None
        }
        fn region(&self) -> Region {
            Region::parse(self.region).unwrap()
        }
        fn takes_images(&self) -> bool {
            self.images
        }
        fn reply<'a>(&'a self, _: Request<'a>, sink: Sink<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
            if self.word {
                sink(Delta::Text("нача".to_owned()));
            }
            let result = self.result.clone().map(|text| Reply { text: text.to_owned(), ..Reply::default() });
            Box::pin(async move { result })
        }
    }

    fn model(region: &'static str, word: bool, result: Result<&'static str, ModelError>) -> Arc<dyn ChatModel> {
        Arc::new(Fixed { region, word, images: false, result })
    }

    fn ask(first: Arc<dyn ChatModel>, messages: &[Message]) -> Result<String, ModelError> {
        let both = Failover::new(first, model("RU", false, Ok("второй"))).unwrap();
        let request = Request { messages, tools: &[], allow_tools: true };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(both.either(request, &|_| {})).map(|reply| reply.text)
    }

    #[test]
    fn the_second_answers_only_if_nothing_came_from_the_first() {
        let unreachable = ModelError::Connect { url: "h".into(), reason: "x".into() };
        let refused = |status| ModelError::Refused { status, message: String::new() };
        assert_eq!(ask(model("RU", false, Ok("первый")), &[]), Ok("первый".to_owned()));
        assert_eq!(ask(model("RU", false, Err(unreachable.clone())), &[]), Ok("второй".to_owned()));
        assert_eq!(ask(model("RU", false, Err(refused(402))), &[]), Ok("второй".to_owned()));
        for (word, error) in [
            (true, unreachable),
            (false, refused(400)),
            (false, ModelError::CutOff { reason: "x".into() }),
            (false, ModelError::Provider("x".into())),
            (false, ModelError::Silent { limit: std::time::Duration::ZERO, received: true }),
        ] {
            assert_eq!(ask(model("RU", word, Err(error.clone())), &[]), Err(error));
        }
    }

    #[test]
    fn an_image_never_goes_to_a_model_that_takes_none() {
        let image = Image::from_bytes("a.png", b"\x89PNG\r\n\x1a\n....").unwrap();
        let error = ModelError::Connect { url: "h".into(), reason: "x".into() };
        let sees = Arc::new(Fixed { region: "RU", word: false, images: true, result: Err(error.clone()) });
        assert_eq!(ask(sees, &[Message::Image(image)]), Err(error));
    }

    #[test]
    fn another_region_is_refused() {
        let ok = || Ok("x");
        for (here, there) in [("RU", "CN"), ("local", "RU"), ("US", "any")] {
            assert!(matches!(
                Failover::new(model(here, false, ok()), model(there, false, ok())),
                Err(ModelError::Settings(_))
            ));
        }
        assert!(Failover::new(model("CN", false, ok()), model("local", false, ok())).is_ok());
    }
}
