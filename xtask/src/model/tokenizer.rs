//! The tokenizer of XLM-RoBERTa (SentencePiece unigram) in the format of the crate `tokenizers`.

use super::weights::Weights;
use anyhow::{Context as _, Result};

/// Which token plays which part; the names are XLM-RoBERTa's.
pub const SPECIAL_TOKENS: &str = concat!(
    r#"{"bos_token":"<s>","eos_token":"</s>","sep_token":"</s>","cls_token":"<s>","#,
    r#""unk_token":"<unk>","pad_token":"<pad>","mask_token":"<mask>"}"#
);

/// The same, with the longest input.
pub const TOKENIZER_CONFIG: &str = concat!(
    r#"{"bos_token":"<s>","eos_token":"</s>","sep_token":"</s>","cls_token":"<s>","#,
    r#""unk_token":"<unk>","pad_token":"<pad>","mask_token":"<mask>","#,
    r#""model_max_length":512,"tokenizer_class":"XLMRobertaTokenizer"}"#
);

const MASK: &str = "<mask>";

/// Everything but the vocabulary: `@UNK@`, `@MASK@` and `@VOCABULARY@` are filled in. Nmt and NFKC together are the
/// normalisation `nmt_nfkc` that the model was trained with.
const TEMPLATE: &str = include_str!("tokenizer.template.json");

/// Ids of the pieces that stay: the special ones, and those in Latin, Cyrillic, digits, punctuation and signs.
pub fn kept_pieces(weights: &Weights<'_>) -> Vec<usize> {
    let special = [weights.bos, weights.eos, weights.pad, weights.unk];
    let stays = |id: &usize| {
        let piece = weights.pieces[*id].0;
        special.contains(id) || piece == MASK || (!piece.is_empty() && piece.chars().all(is_kept))
    };
    (0..weights.pieces.len()).filter(stays).collect()
}

fn is_kept(c: char) -> bool {
    matches!(c,
        '\0'..='\u{24f}'            // Latin
        | '\u{400}'..='\u{52f}'     // Cyrillic, with the letters of Ukrainian, Belarusian, Kazakh, Tatar ...
        | '\u{2000}'..='\u{2bff}'   // punctuation, currencies, arrows, mathematics; also the sign for a space, U+2581
    )
}

/// `tokenizer.json`; `kept` as in [`kept_pieces`].
pub fn write(weights: &Weights<'_>, kept: &[usize]) -> Result<String> {
    let new_id = |old: usize| kept.iter().position(|id| *id == old).context("a special token was dropped");
    for (old, new) in [(weights.bos, 0), (weights.pad, 1), (weights.eos, 2)] {
        anyhow::ensure!(new_id(old)? == new, "the special tokens have other ids than in XLM-RoBERTa");
    }
    let mask = kept.iter().position(|id| weights.pieces[*id].0 == MASK).context("there is no mask token")?;
    let special = [weights.bos, weights.eos, weights.pad, weights.unk];
    let entry = |id: &usize| {
        let (piece, score) = weights.pieces[*id];
        (piece, if special.contains(id) { 0.0 } else { f64::from(score) })
    };
    let vocabulary: Vec<(&str, f64)> = kept.iter().map(entry).collect();
    Ok(TEMPLATE
        .replace("@UNK@", &new_id(weights.unk)?.to_string())
        .replace("@MASK@", &mask.to_string())
        .replace("@VOCABULARY@", &serde_json::to_string(&vocabulary)?))
}

/// `config.json`: what a loader asks of it.
pub fn config(weights: &Weights<'_>, vocabulary: usize) -> String {
    format!(
        concat!(
            r#"{{"model_type":"bert","architectures":["BertModel"],"tokenizer_class":"XLMRobertaTokenizer","#,
            r#""hidden_size":{},"num_hidden_layers":{},"num_attention_heads":{},"intermediate_size":{},"#,
            r#""max_position_embeddings":{},"vocab_size":{},"pad_token_id":{},"hidden_act":"gelu"}}"#
        ),
        weights.hidden, weights.layers, weights.heads, weights.feed_forward, weights.positions, vocabulary, weights.pad,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_users_write_in_are_kept() {
        for piece in ["▁Проведение", "▁document", "ґ", "қ", "№", "→", "7", "é"] {
            assert!(piece.chars().all(is_kept), "{piece}");
        }
        for piece in ["中", "ع", "한", "ก"] {
            assert!(!piece.chars().any(is_kept), "{piece}");
        }
    }

    #[test]
    fn the_fixed_texts_are_json() {
        for text in [SPECIAL_TOKENS, TOKENIZER_CONFIG] {
            serde_json::from_str::<serde_json::Value>(text).unwrap();
        }
        let filled = TEMPLATE.replace("@UNK@", "3").replace("@MASK@", "9").replace("@VOCABULARY@", "[[\"a\",0.0]]");
        let json: serde_json::Value = serde_json::from_str(&filled).unwrap();
        assert_eq!(json["model"]["vocab"][0][0], "a");
    }
}
