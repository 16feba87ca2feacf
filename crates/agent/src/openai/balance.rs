//! What is left on an account, at the providers that tell it.

use serde_json::Value;

/// What is left, in words, of a provider's answer.
type Reading = fn(&Value) -> Option<String>;

/// Providers that tell what is left: host of the model's address, where to ask, how to read the answer.
///
/// Sources: the providers' API references, "Get User Balance" of DeepSeek and "Get remaining credits" of OpenRouter.
const PROVIDERS: &[(&str, &str, Reading)] = &[
    ("api.deepseek.com", "https://api.deepseek.com/user/balance", of_deepseek),
    ("openrouter.ai", "https://openrouter.ai/api/v1/credits", of_openrouter),
];

/// Asks the provider behind a model's address; `http` sends the key along. `None`: it doesn't tell, or not now.
pub(super) async fn ask(http: &reqwest::Client, endpoint: &str) -> Option<String> {
    let endpoint = reqwest::Url::parse(endpoint).ok()?;
    let (_, address, read) = PROVIDERS.iter().find(|(host, _, _)| endpoint.host_str() == Some(host))?;
    let response = http.get(*address).send().await.ok()?.error_for_status().ok()?;
    read(&response.json().await.ok()?)
}

/// `{"balance_infos": [{"currency": "CNY", "total_balance": "20.50"}]}`.
fn of_deepseek(answer: &Value) -> Option<String> {
    let sum = |info: &Value| {
        let sum = &info["total_balance"];
        let sum = sum.as_str().map(str::to_owned).or_else(|| sum.as_f64().map(|sum| format!("{sum:.2}")))?;
        Some(format!("{sum} {}", info["currency"].as_str()?))
    };
    let sums: Vec<String> = answer["balance_infos"].as_array()?.iter().filter_map(sum).collect();
    (!sums.is_empty()).then(|| sums.join(", "))
}

/// `{"data": {"total_credits": 100, "total_usage": 37.5}}`, in US dollars.
fn of_openrouter(answer: &Value) -> Option<String> {
    let number = |key: &str| answer["data"][key].as_f64();
    Some(format!("{:.2} USD", number("total_credits")? - number("total_usage")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_of_providers() {
        let infos = json!({"is_available": true, "balance_infos": [
            {"currency": "CNY", "total_balance": "20.50", "granted_balance": "0.50"},
            {"currency": "USD", "total_balance": 1.0}]});
        assert_eq!(of_deepseek(&infos).as_deref(), Some("20.50 CNY, 1.00 USD"));
        assert_eq!(of_deepseek(&json!({"balance_infos": []})), None);
        let credits = json!({"data": {"total_credits": 100, "total_usage": 37.5}});
        assert_eq!(of_openrouter(&credits).as_deref(), Some("62.50 USD"));
        assert_eq!(of_openrouter(&json!({"error": "no"})), None);
    }

    #[tokio::test]
    async fn others_are_not_asked() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        assert_eq!(ask(&reqwest::Client::new(), "http://localhost:9/v1/chat/completions").await, None);
        assert_eq!(ask(&reqwest::Client::new(), "no address").await, None);
    }
}
