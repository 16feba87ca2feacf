//! What a person can do about an error of a model.

use tools::Language;

use super::say;
use crate::model::ModelError;

/// How to mend an error; empty where nothing can be said that the error doesn't say itself.
pub fn mend(error: &ModelError, language: Language) -> &'static str {
    let (ru, en) = match error {
        ModelError::Connect { .. } => {
            ("Проверьте адрес модели, сеть и прокси.", "Check the model's address, the network and the proxy.")
        }
        ModelError::Busy { status: 429, .. } => (
            "Превышена частота запросов или лимит: повторите позже или выберите другую модель.",
            "Too many requests, or a limit is reached: try again later or choose another model.",
        ),
        ModelError::Busy { .. } => {
            ("Сервер модели занят: повторите позже.", "The model's server is busy: try again later.")
        }
        ModelError::Refused { status: 401 | 403, .. } => (
            "Проверьте ключ: верен ли он, не истёк ли, даёт ли право на эту модель.",
            "Check the key: whether it is right, hasn't run out, and allows this model.",
        ),
        ModelError::Refused { status: 402, .. } => {
            ("Пополните баланс у провайдера.", "Top up the balance at the provider.")
        }
        ModelError::Refused { status: 429, .. } => (
            "Квота исчерпана: пополните баланс или выберите другую модель.",
            "The quota is used up: top up the balance, or choose another model.",
        ),
        ModelError::Refused { status: 404 | 405, .. } => (
            "Проверьте имя модели и адрес: обычно он кончается на /v1.",
            "Check the model's name and the address: it usually ends in /v1.",
        ),
        ModelError::Refused { status: 413, .. } => (
            "Вопрос длиннее, чем принимает модель: возьмите модель с большим окном или спросите короче.",
            "The question is longer than the model takes: take a model with a larger window, or ask for less.",
        ),
        ModelError::Refused { .. } => ("Проверьте имя модели и её настройки.", "Check the model's name and settings."),
        ModelError::Silent { .. } => ("Модель молчит слишком долго.", "The model has been silent for too long."),
        ModelError::CutOff { .. } => (
            "Ответ оборвался; полученное сохранено, повтора не было.",
            "The answer broke off; what came is kept, nothing was sent again.",
        ),
        ModelError::Malformed(_) => (
            "По этому адресу отвечает не сервер моделей: проверьте адрес.",
            "What answers at this address is no server of models: check the address.",
        ),
        ModelError::Provider(_) | ModelError::Settings(_) => ("", ""),
    };
    say(language, ru, en)
}
