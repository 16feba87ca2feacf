//! Putting the rankings of several legs into one: linear fusion of standard scores.
//!
//! Rank fusion (RRF) throws away how sure a leg is and drowns the one good leg; standard scores keep it.

use rustc_hash::FxHashMap;

use crate::read::NameId;

/// The ranking of one leg.
#[derive(Clone, Debug, Default)]
pub struct Leg {
    /// Scored things, in any order; a higher score is better.
    pub scores: Vec<(NameId, f64)>,
    /// How much the leg counts.
    pub weight: f64,
}

/// The weighted sum of the legs' standard scores, best first; equal scores in order of numbers.
///
/// A leg that does not know a thing gives it the leg's lowest score. A leg without any scores has no say.
pub fn fuse(legs: &[Leg]) -> Vec<(NameId, f64)> {
    let mut sums: FxHashMap<NameId, f64> = FxHashMap::default();
    // What a thing gets if no leg knows it; legs that do know it replace their part.
    let mut base = 0.0;
    for leg in legs {
        let standard = standard_scores(&leg.scores);
        let lowest = standard.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
        if standard.is_empty() {
            continue;
        }
        base += leg.weight * lowest;
        for (id, score) in standard {
            *sums.entry(id).or_default() += leg.weight * (score - lowest);
        }
    }
    let mut fused: Vec<(NameId, f64)> = sums.into_iter().map(|(id, sum)| (id, sum + base)).collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fused
}

/// Scores with mean 0 and standard deviation 1; all 0 where they do not differ.
fn standard_scores(scores: &[(NameId, f64)]) -> Vec<(NameId, f64)> {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().map(|(_, score)| score).sum::<f64>() / count;
    let deviation = (scores.iter().map(|(_, score)| (score - mean).powi(2)).sum::<f64>() / count).sqrt();
    let scale = if deviation > 1e-12 { deviation.recip() } else { 0.0 };
    scores.iter().map(|(id, score)| (*id, (score - mean) * scale)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn leg(scores: &[(NameId, f64)], weight: f64) -> Leg {
        Leg { scores: scores.to_vec(), weight }
    }

    fn order(legs: &[Leg]) -> Vec<NameId> {
        fuse(legs).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn one_sure_leg_is_not_drowned() {
        // The first leg is sure of 7; the second sees no great difference between its hits.
        let sure: Vec<_> = (0..40).map(|id| (id, if id == 7 { 9.0 } else { 1.0 + f64::from(id) / 100.0 })).collect();
        let vague: Vec<_> =
            (0..40).map(|id| (id, if id == 7 { 0.40 } else { 0.52 - f64::from(id) / 1000.0 })).collect();
        let fused = order(&[leg(&sure, 1.0), leg(&vague, 1.0)]);
        assert!(fused.iter().position(|id| *id == 7).is_some_and(|place| place < 3), "{fused:?}");
    }

    #[test]
    fn a_silent_leg_changes_nothing() {
        let a = leg(&[(1, 3.0), (2, 2.0), (3, 1.0)], 1.0);
        assert_eq!(order(&[a.clone(), leg(&[], 1.0)]), order(std::slice::from_ref(&a)));
        assert_eq!(order(&[a, leg(&[(9, 1.0)], 1.0)]), [1, 2, 3, 9]);
        assert_eq!(order(&[]), Vec::<NameId>::new());
    }

    fn some_leg() -> impl Strategy<Value = Leg> {
        let scores = proptest::collection::btree_map(0_u32..60, -50.0_f64..50.0, 0..40);
        (scores, 0.1_f64..2.0).prop_map(|(scores, weight)| Leg { scores: scores.into_iter().collect(), weight })
    }

    proptest! {
        #[test]
        fn everything_is_there_once_and_in_order(a in some_leg(), b in some_leg()) {
            let fused = fuse(&[a.clone(), b.clone()]);
            let mut ids: Vec<NameId> = fused.iter().map(|(id, _)| *id).collect();
            prop_assert!(fused.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            ids.sort_unstable();
            let mut expected: Vec<NameId> = a.scores.iter().chain(&b.scores).map(|(id, _)| *id).collect();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(ids, expected);
            prop_assert!(fused.iter().all(|(_, score)| score.is_finite()));
        }

        #[test]
        fn scale_and_shift_of_a_leg_do_not_matter(a in some_leg(), b in some_leg(), scale in 0.1_f64..20.0, shift in -5.0_f64..5.0) {
            let moved = Leg { scores: a.scores.iter().map(|(id, s)| (*id, s * scale + shift)).collect(), weight: a.weight };
            let before: std::collections::BTreeMap<_, _> = fuse(&[a, b.clone()]).into_iter().collect();
            for (id, score) in fuse(&[moved, b]) {
                prop_assert!((before[&id] - score).abs() < 1e-6);
            }
        }

        #[test]
        fn what_is_better_in_every_leg_is_better(a in some_leg(), b in some_leg()) {
            let fused: std::collections::BTreeMap<_, _> = fuse(&[a.clone(), b.clone()]).into_iter().collect();
            let of = |leg: &Leg, id: NameId| leg.scores.iter().find(|(other, _)| *other == id).map(|(_, s)| *s);
            for (x, _) in &a.scores {
                for (y, _) in &a.scores {
                    if let (Some(ax), Some(ay), Some(bx), Some(by)) = (of(&a, *x), of(&a, *y), of(&b, *x), of(&b, *y))
                        && ax > ay && bx > by
                    {
                        prop_assert!(fused[x] >= fused[y]);
                    }
                }
            }
        }
    }
}
