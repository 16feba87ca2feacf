//! The network of multilingual-e5-small (a BERT encoder) as an ONNX graph.
//!
//! Matrices become 8-bit with one scale an output (`DynamicQuantizeMatMul`: the input is rounded as it comes); the
//! word vectors, which are only looked up, keep their four bits. Attention and the sums before a normalisation use ONNX
//! Runtime's fused operators.

use super::onnx::{Attribute, Dimension, ElementType, Graph, MICROSOFT, ValueInfo};
use super::weights::{BLOCK, Weights};
use anyhow::{Context as _, Result};

/// The model file; `kept`: ids of the pieces that stay, in the order of their new ids.
pub fn write(weights: &Weights<'_>, kept: &[usize]) -> Result<Vec<u8>> {
    let mut network = Network { graph: Graph::default(), weights };
    let mut state = network.embedding(kept)?;
    let mask =
        network.graph.node("", "Cast", &["attention_mask"], &[("to", Attribute::Int(ElementType::Int32 as i64))]);
    for layer in 0..weights.layers {
        state = network.layer(layer, &state, &mask)?;
    }
    let output = "last_hidden_state";
    network.graph.node_to("", "Identity", &[&state], &[output], &[]);

    let tokens = [Dimension::Free("batch"), Dimension::Free("sequence")];
    let input = |name| ValueInfo { name, kind: ElementType::Int64, dimensions: &tokens };
    let vectors = [Dimension::Free("batch"), Dimension::Free("sequence"), Dimension::Fixed(weights.hidden)];
    Ok(network.graph.model(
        paths::MODEL.name,
        &[input("input_ids"), input("attention_mask")],
        &[ValueInfo { name: output, kind: ElementType::Float, dimensions: &vectors }],
    ))
}

struct Network<'a> {
    graph: Graph,
    weights: &'a Weights<'a>,
}

impl Network<'_> {
    /// Word vector + position + the one token type, normalised.
    fn embedding(&mut self, kept: &[usize]) -> Result<String> {
        let hidden = self.weights.hidden;
        let words = self.weights.nibbles("emb.word", hidden, Some(kept))?;
        let packed: Vec<u8> = words.values.as_chunks().0.iter().map(|[low, high]| low | high << 4).collect();
        let packed = self.graph.constant("words", ElementType::Uint8, &[kept.len(), hidden / 2], &packed);
        let scales = self.graph.floats("words.scale", &[kept.len(), hidden / BLOCK], &words.scales);
        let int = Attribute::Int;
        let word = self.graph.node(
            MICROSOFT,
            "GatherBlockQuantized",
            &[&packed, "input_ids", &scales],
            &[("bits", int(4)), ("block_size", int(BLOCK as i64)), ("gather_axis", int(0)), ("quantize_axis", int(1))],
        );

        let kind = self.weights.floats("emb.type")?;
        let kind = kind.get(..hidden).context("no token type")?;
        let positions = self.weights.floats("emb.pos")?;
        let positions: Vec<f32> = positions.iter().zip(kind.iter().cycle()).map(|(p, k)| p + k).collect();
        let positions = self.graph.floats("positions", &[self.weights.positions, hidden], &positions);
        let shape = self.graph.node("", "Shape", &["input_ids"], &[]);
        let one = self.graph.integers("one", &[1]);
        let zero = self.graph.integers("zero", &[0]);
        let length = self.graph.node("", "Gather", &[&shape, &one], &[("axis", int(0))]);
        let position = self.graph.node("", "Slice", &[&positions, &zero, &length, &zero], &[]);
        let sum = self.graph.node("", "Add", &[&word, &position], &[]);

        let (scale, shift) = self.normalisation("emb.ln")?;
        let epsilon = ("epsilon", Attribute::Float(self.weights.epsilon));
        Ok(self.graph.node("", "LayerNormalization", &[&sum, &scale, &shift], &[("axis", int(-1)), epsilon]))
    }

    /// One encoder layer: attention, then two products with GELU between, each added to its input and normalised.
    fn layer(&mut self, layer: usize, state: &str, mask: &str) -> Result<String> {
        let (hidden, wide) = (self.weights.hidden, self.weights.feed_forward);
        let name = |part: &str| format!("l{layer}.{part}");

        let joined = self.product(state, &name("qkv"), &[name("q"), name("k"), name("v")], hidden)?;
        let [q, k, v] = ["query", "key", "value"].map(&name);
        let split = [("axis", Attribute::Int(-1)), ("num_outputs", Attribute::Int(3))];
        self.graph.node_to("", "Split", &[&joined], &[&q, &k, &v], &split);
        let heads = [("num_heads", Attribute::Int(self.weights.heads as i64))];
        let attention = self.graph.node(MICROSOFT, "MultiHeadAttention", &[&q, &k, &v, "", mask], &heads);
        let attention = self.product(&attention, &name("ao"), &[name("ao")], hidden)?;
        let state = self.add_and_normalise(state, &attention, &name("aln"))?;

        let inner = self.product(&state, &name("fi"), &[name("fi")], hidden)?;
        let inner = self.graph.node(MICROSOFT, "Gelu", &[&inner], &[]);
        let outer = self.product(&inner, &name("fo"), &[name("fo")], wide)?;
        self.add_and_normalise(&state, &outer, &name("oln"))
    }

    /// `input * matrix + bias`; several matrices with the same input stand side by side.
    fn product(&mut self, input: &str, name: &str, parts: &[String], inputs: usize) -> Result<String> {
        let (mut matrix, mut bias) = (Vec::new(), Vec::new());
        for part in parts {
            matrix.extend(self.weights.matrix(&format!("{part}.w"), inputs)?);
            bias.extend(self.weights.floats(&format!("{part}.b"))?);
        }
        let outputs = matrix.len() / inputs;
        let (values, scales) = quantise(&matrix, inputs);
        let values = self.graph.constant(&format!("{name}.w"), ElementType::Int8, &[inputs, outputs], &values);
        let scales = self.graph.floats(&format!("{name}.scale"), &[outputs], &scales);
        let zeros = self.graph.constant(&format!("{name}.zero"), ElementType::Int8, &[outputs], &vec![0; outputs]);
        let bias = self.graph.floats(&format!("{name}.b"), &[outputs], &bias);
        Ok(self.graph.node(MICROSOFT, "DynamicQuantizeMatMul", &[input, &values, &scales, &zeros, &bias], &[]))
    }

    fn add_and_normalise(&mut self, a: &str, b: &str, name: &str) -> Result<String> {
        let (scale, shift) = self.normalisation(name)?;
        let epsilon = ("epsilon", Attribute::Float(self.weights.epsilon));
        Ok(self.graph.node(MICROSOFT, "SkipLayerNormalization", &[a, b, &scale, &shift], &[epsilon]))
    }

    fn normalisation(&mut self, name: &str) -> Result<(String, String)> {
        let hidden = [self.weights.hidden];
        let scale = self.weights.floats(&format!("{name}.w"))?;
        let shift = self.weights.floats(&format!("{name}.b"))?;
        Ok((
            self.graph.floats(&format!("{name}.w"), &hidden, &scale),
            self.graph.floats(&format!("{name}.b"), &hidden, &shift),
        ))
    }
}

/// Rows (outputs) of `inputs` numbers each -> symmetric 8-bit values, transposed to inputs x outputs, and a scale an output.
fn quantise(matrix: &[f32], inputs: usize) -> (Vec<u8>, Vec<f32>) {
    let outputs = matrix.len() / inputs;
    let mut values = vec![0u8; inputs * outputs];
    let mut scales = Vec::with_capacity(outputs);
    for (output, row) in matrix.chunks_exact(inputs).enumerate() {
        let scale = row.iter().fold(0f32, |max, v| max.max(v.abs())) / 127.0;
        scales.push(scale);
        for (value, place) in row.iter().zip(values.iter_mut().skip(output).step_by(outputs)) {
            let rounded = if scale > 0.0 { (value / scale).round_ties_even().clamp(-127.0, 127.0) } else { 0.0 };
            *place = (rounded as i8).cast_unsigned();
        }
    }
    (values, scales)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantising_keeps_the_largest_value_of_each_output() {
        let (values, scales) = quantise(&[0.0, 2.0, -1.0, 0.5, 0.0, 0.0], 2);
        assert_eq!(scales, [2.0 / 127.0, 1.0 / 127.0, 0.0]);
        let signed: Vec<i8> = values.iter().map(|v| v.cast_signed()).collect();
        assert_eq!(signed, [0, -127, 0, 127, 64, 0]); // two inputs x three outputs; 63.5 goes to the even 64
    }
}
