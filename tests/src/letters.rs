//! Vectors without a model.

/// A vector of a text: the counts of its letters, at length one, so that texts with the same words are near each other.
#[must_use]
pub fn counts_of_letters<const DIMENSIONS: usize>(text: &str) -> Vec<f32> {
    let mut vector = vec![0.01_f32; DIMENSIONS];
    for c in text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase) {
        if let Some(count) = vector.get_mut(c as usize % DIMENSIONS) {
            *count += 1.0;
        }
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.into_iter().map(|x| x / length).collect()
}
