//! Numbers that look random and follow from a seed (SplitMix64).

/// A source of numbers.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The source for one input of a run.
    #[must_use]
    pub fn of(seed: u64, number: u64) -> Self {
        let mut rng = Self(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        rng.number();
        rng
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.number() % end as u64) as usize }
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several; None if there are none.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_for_the_same_input_and_another_for_the_next() {
        let row = |number| {
            let mut rng = Rng::of(1, number);
            [rng.number(), rng.number(), rng.number()]
        };
        assert_eq!(row(5), row(5));
        assert_ne!(row(5), row(6));
        assert_eq!(Rng::of(1, 1).below(0), 0);
    }
}
