//! Inputs: seeds after a few mutations.

#![allow(clippy::ptr_arg, reason = "all mutations are of one type, whether they change the length or not")]

use crate::rng::Rng;
use crate::seeds::{Seed, Seeds};
use crate::syntax::{Syntax, pairs, tokens, words};
use std::ops::Range;

/// How many mutations an input gets: one of these.
const ROUNDS: [usize; 8] = [1, 1, 1, 2, 2, 3, 4, 7];
/// What is repeated or nested may grow to two to the power of these, in bytes: seldom to much, which takes long to read.
const GROWTH: [u32; 10] = [8, 10, 11, 12, 13, 14, 15, 16, 17, 18];
/// No input is longer.
const LONGEST: usize = 1 << 19;
/// Bytes that readers treat in ways of their own, and what is no UTF-8.
const BYTES: [&[u8]; 20] = [
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xd0",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xc0\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\r",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x0b",
    b"\x1a",
    b"\x7f",
    b" ",
    b"\"",
    b"<",
    b"&",
];
/// Numbers at the edges of types.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999",
    "007",
    "1.5",
];

/// An input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Number of its seed.
    pub seed: usize,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What was done to the seed.
    pub done: Vec<&'static str>,
}

/// The input of that number in a run with that seed; None if there are no seeds.
#[must_use]
pub fn input(seeds: &Seeds, seed: u64, number: u64) -> Option<Input> {
    let mut rng = Rng::of(seed, number);
    let index = rng.below(seeds.all.len());
    let chosen = seeds.all.get(index)?;
    let mut bytes = chosen.bytes.clone();
    let mut done = Vec::new();
    for _ in 0..rng.pick(&ROUNDS).copied().unwrap_or(1) {
        done.push(mutate(&mut bytes, chosen, seeds, &mut rng));
        bytes.truncate(LONGEST);
    }
    Some(Input { seed: index, bytes, done })
}

/// A mutation and what it is called; false if it found nothing to do.
type Mutation = (&'static str, fn(&mut Vec<u8>, &mut Work<'_>) -> bool);

/// What mutations need.
struct Work<'a> {
    syntax: Syntax,
    seeds: &'a Seeds,
    rng: &'a mut Rng,
}

const OF_BYTES: &[Mutation] = &[
    ("flip a bit", flip),
    ("another byte", other_byte),
    ("insert bytes", insert_bytes),
    ("remove a range", remove_range),
    ("copy a range", copy_range),
    ("cut the end", cut_end),
    ("cut the start", cut_start),
];
const OF_TEXTS: &[Mutation] = &[
    ("remove a token", remove_token),
    ("double a token", double_token),
    ("swap tokens", swap_tokens),
    ("a foreign token", foreign_token),
    ("a word", word),
    ("splice", splice),
    ("a number", number),
    ("line ends", line_ends),
    ("repeat", repeat),
    ("nest", nest),
    ("a long word", long_word),
];
const OF_XML: &[Mutation] = &[
    ("double an element", double_element),
    ("remove an element", remove_element),
    ("move an element", move_element),
    ("wrap an element", wrap_element),
    ("a foreign element", foreign_element),
];
const OF_BINARY: &[Mutation] = &[("a field in hexadecimal", hexadecimal), ("an address", address), ("splice", splice)];

/// Changes a text in one way; says in which.
fn mutate(bytes: &mut Vec<u8>, seed: &Seed, seeds: &Seeds, rng: &mut Rng) -> &'static str {
    let more: &[&[Mutation]] = match seed.syntax {
        Syntax::Xml => &[OF_TEXTS, OF_XML, OF_XML],
        Syntax::Module | Syntax::Query | Syntax::Brackets => &[OF_TEXTS, OF_TEXTS],
        Syntax::Binary => &[OF_BINARY, OF_BINARY],
    };
    // What a mutation finds nothing for, another does.
    for _ in 0..8 {
        let list = match rng.below(more.len() + 1) {
            0 => OF_BYTES,
            group => more.get(group - 1).copied().unwrap_or(OF_BYTES),
        };
        let Some((name, mutation)) = rng.pick(list) else { continue };
        if mutation(bytes, &mut Work { syntax: seed.syntax, seeds, rng: &mut *rng }) {
            return name;
        }
    }
    "nothing"
}

fn flip(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let at = work.rng.below(bytes.len());
    let bit = work.rng.below(8);
    bytes.get_mut(at).map(|byte| *byte ^= 1 << bit).is_some()
}

fn other_byte(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let at = work.rng.below(bytes.len());
    let new = work.rng.number() as u8;
    bytes.get_mut(at).map(|byte| *byte = new).is_some()
}

fn insert_bytes(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let at = work.rng.below(bytes.len() + 1);
    let new = work.rng.pick(&BYTES).copied().unwrap_or_default();
    let new = new.repeat(1 + work.rng.below(3));
    bytes.splice(at..at, new);
    true
}

fn range(bytes: &[u8], work: &mut Work<'_>) -> Range<usize> {
    let from = work.rng.below(bytes.len());
    let longest = if work.rng.once_in(4) { bytes.len() } else { 40 };
    from..(from + 1 + work.rng.below(longest)).min(bytes.len())
}

fn remove_range(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    if bytes.is_empty() {
        return false;
    }
    bytes.drain(range(bytes, work));
    true
}

fn copy_range(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    if bytes.is_empty() {
        return false;
    }
    let copied = bytes.get(range(bytes, work)).unwrap_or_default().to_vec();
    let at = work.rng.below(bytes.len() + 1);
    bytes.splice(at..at, copied);
    true
}

fn cut_end(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let length = work.rng.below(bytes.len() + 1);
    bytes.truncate(length);
    true
}

fn cut_start(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let length = work.rng.below(bytes.len() + 1);
    bytes.drain(..length);
    true
}

/// A token of a text.
fn token(bytes: &[u8], work: &mut Work<'_>) -> Option<Range<usize>> {
    let all = tokens(work.syntax, bytes);
    work.rng.pick(&all).cloned()
}

fn remove_token(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    token(bytes, work).map(|token| bytes.drain(token)).is_some()
}

fn double_token(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let Some(token) = token(bytes, work) else { return false };
    let copy = bytes.get(token.clone()).unwrap_or_default().repeat(1 + work.rng.below(3));
    bytes.splice(token.end..token.end, copy);
    true
}

fn swap_tokens(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let (Some(a), Some(b)) = (token(bytes, work), token(bytes, work)) else { return false };
    let (a, b) = if a.start < b.start { (a, b) } else { (b, a) };
    if a == b {
        return false;
    }
    let part = |range: Range<usize>| bytes.get(range).unwrap_or_default();
    *bytes = [part(0..a.start), part(b.clone()), part(a.end..b.start), part(a), part(b.end..bytes.len())].concat();
    true
}

/// Some bytes of another seed of the same syntax, made of whole tokens.
fn foreign<'a>(work: &mut Work<'a>, most: usize) -> Option<&'a [u8]> {
    let seeds: &'a Seeds = work.seeds;
    let other = work.rng.pick(&seeds.all).filter(|seed| seed.syntax == work.syntax)?;
    let all = tokens(other.syntax, &other.bytes);
    let first = work.rng.below(all.len());
    let last = (first + work.rng.below(most)).min(all.len().checked_sub(1)?);
    other.bytes.get(all.get(first)?.start..all.get(last)?.end)
}

fn foreign_token(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let (Some(new), Some(place)) = (foreign(work, 3), token(bytes, work)) else { return false };
    // Instead of a token, or before it.
    let place = if work.rng.once_in(2) { place } else { place.start..place.start };
    bytes.splice(place, new.iter().copied());
    true
}

fn word(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let Some(place) = token(bytes, work) else { return false };
    let new = work.rng.pick(words(work.syntax)).copied().unwrap_or_default();
    let place = if work.rng.once_in(2) { place } else { place.start..place.start };
    bytes.splice(place, new.bytes());
    true
}

/// The beginning of this text, and the end of another.
fn splice(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let seeds = work.seeds;
    let Some(other) = work.rng.pick(&seeds.all).filter(|seed| seed.syntax == work.syntax) else { return false };
    let end = token(bytes, work).map_or(0, |token| token.end);
    let start = token(&other.bytes, work).map_or(0, |token| token.start);
    bytes.truncate(end);
    bytes.extend(other.bytes.get(start..).unwrap_or_default());
    true
}

fn number(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let from = work.rng.below(bytes.len());
    let Some(start) = bytes.iter().skip(from).position(u8::is_ascii_digit).map(|found| from + found) else {
        return false;
    };
    let length = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
    let new = work.rng.pick(&NUMBERS).copied().unwrap_or_default();
    bytes.splice(start..start + length, new.bytes());
    true
}

/// Lone CR, no line ends at all, CR LF, mixed.
fn line_ends(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let style = work.rng.below(4);
    let mut out = Vec::with_capacity(bytes.len());
    for byte in bytes.iter().filter(|byte| **byte != b'\r') {
        let end: &[u8] = match (byte, style) {
            (b'\n', 0) => b"\r",
            (b'\n', 1) => b" ",
            (b'\n', 2) => b"\r\n",
            (b'\n', _) => [&b"\r"[..], b"\n", b"\r\n", b"\n\r"].get(work.rng.below(4)).copied().unwrap_or_default(),
            (byte, _) => std::slice::from_ref(byte),
        };
        out.extend(end);
    }
    *bytes = out;
    true
}

fn growth(work: &mut Work<'_>) -> usize {
    1 << work.rng.pick(&GROWTH).copied().unwrap_or(8)
}

/// A run of tokens, many times: what costs time by the square shows.
fn repeat(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let all = tokens(work.syntax, bytes);
    let first = work.rng.below(all.len());
    let last = (first + work.rng.below(6)).min(all.len().saturating_sub(1));
    let (Some(first), Some(last)) = (all.get(first), all.get(last)) else { return false };
    let from_words = work.rng.once_in(3);
    let run = match work.rng.pick(words(work.syntax)) {
        Some(word) if from_words => word.as_bytes().to_vec(),
        _ => bytes.get(first.start..last.end).unwrap_or_default().to_vec(),
    };
    let times = growth(work) / run.len().max(1);
    bytes.splice(first.start..first.start, run.repeat(times));
    true
}

/// Levels around a token.
fn nest(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let Some(place) = token(bytes, work) else { return false };
    let Some((open, close)) = work.rng.pick(pairs(work.syntax)) else { return false };
    let times = growth(work) / (open.len() + close.len());
    let is_open = work.rng.once_in(4);
    let inner = bytes.get(place.clone()).unwrap_or_default();
    let close = if is_open { String::new() } else { close.repeat(times) };
    let new = [open.repeat(times).as_bytes(), inner, close.as_bytes()].concat();
    bytes.splice(place, new);
    true
}

fn long_word(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let at = work.rng.below(bytes.len() + 1);
    let letter = work.rng.pick(&["а", "z", "1", "_", ".", "İ", "\u{301}", "А.", "1."]).copied().unwrap_or_default();
    let times = growth(work) / letter.len().max(1);
    bytes.splice(at..at, letter.repeat(times).into_bytes());
    true
}

/// An element with everything in it: from its first byte to behind its last.
fn element(bytes: &[u8], rng: &mut Rng) -> Option<Range<usize>> {
    let all = tokens(Syntax::Xml, bytes);
    let text = |token: &Range<usize>| bytes.get(token.clone()).unwrap_or_default();
    let opens = |token: &[u8]| {
        token.starts_with(b"<")
            && token.get(1).is_some_and(|byte| byte.is_ascii_alphabetic())
            && !token.ends_with(b"/>")
    };
    let chosen = rng.below(all.len());
    let first = (chosen..all.len()).find(|i| all.get(*i).is_some_and(|token| opens(text(token))))?;
    let mut depth = 0_usize;
    for token in all.get(first..)? {
        if opens(text(token)) {
            depth += 1;
        } else if text(token).starts_with(b"</") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(all.get(first)?.start..token.end);
            }
        }
    }
    None
}

fn double_element(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let Some(element) = element(bytes, work.rng) else { return false };
    let copy = bytes.get(element.clone()).unwrap_or_default();
    let times = if work.rng.once_in(3) { growth(work) / copy.len().max(1) } else { 1 };
    let copies = copy.repeat(times.max(1));
    bytes.splice(element.end..element.end, copies);
    true
}

fn remove_element(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    element(bytes, work.rng).map(|element| bytes.drain(element)).is_some()
}

fn move_element(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let Some(element) = element(bytes, work.rng) else { return false };
    let moved: Vec<u8> = bytes.drain(element).collect();
    let at = token(bytes, work).map_or(0, |token| token.start);
    bytes.splice(at..at, moved);
    true
}

/// An element within itself, many times: its own tags around it.
fn wrap_element(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let Some(element) = element(bytes, work.rng) else { return false };
    let inner = bytes.get(element.clone()).unwrap_or_default();
    let all = tokens(Syntax::Xml, inner);
    let (Some(open), Some(close)) = (all.first(), all.last()) else { return false };
    let (open, close) = (inner.get(open.clone()).unwrap_or_default(), inner.get(close.clone()).unwrap_or_default());
    let times = if work.rng.once_in(2) { 1 } else { growth(work) / (open.len() + close.len()).max(1) };
    let new = [&open.repeat(times), inner, &close.repeat(times)].concat();
    bytes.splice(element, new);
    true
}

fn foreign_element(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let seeds = work.seeds;
    let Some(other) = work.rng.pick(&seeds.all).filter(|seed| seed.syntax == Syntax::Xml) else { return false };
    let new = element(&other.bytes, work.rng).and_then(|element| other.bytes.get(element)).unwrap_or_default();
    let at = token(bytes, work).map_or(0, |token| token.start);
    bytes.splice(at..at, new.iter().copied());
    !new.is_empty()
}

/// A field in the header of a block: eight digits.
fn hexadecimal(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let starts: Vec<usize> = bytes
        .windows(11)
        .enumerate()
        .filter(|(_, window)| window.starts_with(b"\r\n") && window.ends_with(b" "))
        .map(|(at, _)| at + 2)
        .collect();
    let Some(&header) = work.rng.pick(&starts) else { return false };
    let field = header + 9 * work.rng.below(3);
    let new = match work.rng.below(4) {
        0 => work.rng.pick(&words(Syntax::Binary)[2..7]).copied().unwrap_or_default().to_owned(),
        1 => format!("{:08x}", work.rng.pick(&starts).map_or(0, |start| start - 2)),
        2 => format!("{:08x}", work.rng.below(bytes.len() + 100)),
        _ => format!("{:08x}", work.rng.number() as u32),
    };
    let Some(place) = bytes.get_mut(field..field + 8) else { return false };
    place.copy_from_slice(new.get(..8).unwrap_or("00000000").as_bytes());
    true
}

/// A number of four bytes, most often near the start, where the table of contents is.
fn address(bytes: &mut Vec<u8>, work: &mut Work<'_>) -> bool {
    let within = if work.rng.once_in(4) { bytes.len() } else { bytes.len().min(120) };
    let at = work.rng.below(within);
    let new = match work.rng.below(4) {
        0 => work.rng.pick(&[0_u32, 1, 16, 0x7fff_fffe, 0x7fff_ffff, u32::MAX]).copied().unwrap_or(0),
        1 => work.rng.number() as u32,
        _ => work.rng.below(bytes.len() + 40) as u32,
    };
    let Some(place) = bytes.get_mut(at..at + 4) else { return false };
    place.copy_from_slice(&new.to_le_bytes());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds(texts: &[&str]) -> Seeds {
        let seed = |text: &&str| Seed {
            path: "a.xml".into(),
            syntax: Syntax::Xml,
            around: None,
            bytes: text.as_bytes().to_vec(),
        };
        Seeds { all: texts.iter().map(seed).collect() }
    }

    #[test]
    fn an_input_can_be_made_again_and_differs_from_the_next() {
        let seeds = seeds(&["<a><b c='1'>text</b><d/></a>", "<x>\n<y>2</y></x>"]);
        let all: Vec<Input> = (0..500).filter_map(|number| input(&seeds, 7, number)).collect();
        let again: Vec<Input> = (0..500).filter_map(|number| input(&seeds, 7, number)).collect();
        assert_eq!(all, again);
        let distinct: std::collections::BTreeSet<&[u8]> = all.iter().map(|input| &*input.bytes).collect();
        assert!(distinct.len() > 400, "{}", distinct.len());
        assert!(all.iter().all(|input| input.bytes.len() <= LONGEST));
        assert_eq!(input(&Seeds::default(), 1, 1), None);
    }

    #[test]
    fn every_mutation_is_made() {
        let xml = seeds(&["<a><b c='1'>text</b><d/></a>"]);
        let mut done: Vec<&str> =
            (0..2000).filter_map(|number| input(&xml, 1, number)).flat_map(|input| input.done).collect();
        done.sort_unstable();
        done.dedup();
        for (name, _) in [OF_BYTES, OF_TEXTS, OF_XML].concat() {
            assert!(done.contains(&name), "{name}");
        }
    }

    #[test]
    fn an_element_is_found_with_what_is_in_it() {
        let text = b"<a><b><b/></b>x</a>";
        let found: std::collections::BTreeSet<_> =
            (0..100).filter_map(|n| element(text, &mut Rng::of(1, n))).map(|range| (range.start, range.end)).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(0, text.len()), (3, 14)]);
    }
}
