//! Keys: named ones, and letters with Ctrl whatever the keyboard's layout.

use slint::platform::Key;

/// A pressed key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// The character, or the private character of a named key.
    pub key: char,
    /// Ctrl (Command on a Mac).
    pub control: bool,
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
}

impl Press {
    /// From what the markup gives; None for a key without text.
    pub fn new(text: &str, control: bool, shift: bool, alt: bool) -> Option<Self> {
        Some(Self { key: text.chars().next()?, control, shift, alt })
    }

    /// Whether it is this named key, whatever the modifiers.
    pub fn is(self, key: Key) -> bool {
        self.key == char::from(key)
    }

    /// The Latin letter of the key pressed with Ctrl: in the Russian layout Ctrl+З is Ctrl+P.
    pub fn control_letter(self) -> Option<char> {
        if !self.control || self.alt {
            return None;
        }
        let key = self.key.to_lowercase().next().unwrap_or(self.key);
        const RUSSIAN: &str = "йцукенгшщзфывапролдячсмить";
        const LATIN: &str = "qwertyuiopasdfghjklzxcvbnm";
        match RUSSIAN.chars().position(|c| c == key) {
            Some(at) => LATIN.chars().nth(at),
            None => key.is_ascii_alphabetic().then_some(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_both_layouts() {
        let letter = |text: &str| Press::new(text, true, false, false).and_then(Press::control_letter);
        assert_eq!(letter("p"), Some('p'));
        assert_eq!(letter("З"), Some('p'));
        assert_eq!(letter("а"), Some('f'));
        assert_eq!(letter("с"), Some('c'));
        // Shift itself, which Slint writes as a control character.
        assert_eq!(letter("\u{10}"), None);
        assert_eq!(Press::new("p", false, false, false).and_then(Press::control_letter), None);
        assert_eq!(Press::new("", true, false, false), None);
    }
}
