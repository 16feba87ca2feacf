//! Just enough of ONNX to write a graph: its protocol buffers, field by field.
//!
//! Field numbers are those of `onnx.proto` (onnx/onnx, IR version 10).

/// An attribute of a node.
pub enum Attribute {
    Int(i64),
    Float(f32),
}

/// Element type of a tensor, with the number ONNX gives it.
#[derive(Clone, Copy)]
pub enum ElementType {
    Float = 1,
    Uint8 = 2,
    Int8 = 3,
    Int32 = 6,
    Int64 = 7,
}

/// The operator set of ONNX Runtime's own operators.
pub const MICROSOFT: &str = "com.microsoft";

/// A graph under construction. Values are named after the operator and a running number.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
}

impl Graph {
    /// A constant tensor of raw little-endian data; returns its name.
    pub fn constant(&mut self, name: &str, kind: ElementType, shape: &[usize], data: &[u8]) -> String {
        let mut tensor = Message::default();
        for dimension in shape {
            tensor.int(1, *dimension as i64);
        }
        tensor.int(2, kind as i64);
        tensor.text(8, name);
        tensor.bytes(9, data);
        self.constants.push(tensor);
        name.to_owned()
    }

    /// A constant of single-precision numbers.
    pub fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) -> String {
        let data: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(name, ElementType::Float, shape, &data)
    }

    /// A constant list of integers.
    pub fn integers(&mut self, name: &str, values: &[i64]) -> String {
        let data: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(name, ElementType::Int64, &[values.len()], &data)
    }

    /// A node with one result; returns the result's name.
    pub fn node(&mut self, domain: &str, operator: &str, inputs: &[&str], attributes: &[(&str, Attribute)]) -> String {
        let output = format!("{operator}_{}", self.nodes.len());
        self.node_to(domain, operator, inputs, &[&output], attributes);
        output
    }

    /// A node whose results are named by the caller.
    pub fn node_to(
        &mut self,
        domain: &str,
        operator: &str,
        inputs: &[&str],
        outputs: &[&str],
        attributes: &[(&str, Attribute)],
    ) {
        let mut node = Message::default();
        inputs.iter().for_each(|input| node.text(1, input));
        outputs.iter().for_each(|output| node.text(2, output));
        node.text(4, operator);
        for (name, value) in attributes {
            let mut attribute = Message::default();
            attribute.text(1, name);
            match value {
                Attribute::Float(f) => {
                    attribute.float(2, *f);
                    attribute.int(20, 1);
                }
                Attribute::Int(i) => {
                    attribute.int(3, *i);
                    attribute.int(20, 2);
                }
            }
            node.message(5, &attribute);
        }
        if !domain.is_empty() {
            node.text(7, domain);
        }
        self.nodes.push(node);
    }

    /// The whole model. Inputs and outputs: name, element type, dimensions (a name or a number each).
    pub fn model(self, name: &str, inputs: &[ValueInfo<'_>], outputs: &[ValueInfo<'_>]) -> Vec<u8> {
        let mut graph = Message::default();
        self.nodes.iter().for_each(|node| graph.message(1, node));
        graph.text(2, name);
        self.constants.iter().for_each(|constant| graph.message(5, constant));
        inputs.iter().for_each(|input| graph.message(11, &input.message()));
        outputs.iter().for_each(|output| graph.message(12, &output.message()));

        let mut model = Message::default();
        model.int(1, 10); // IR version
        model.text(2, "metascope");
        model.message(7, &graph);
        for (domain, version) in [("", 20), (MICROSOFT, 1)] {
            let mut set = Message::default();
            set.text(1, domain);
            set.int(2, version);
            model.message(8, &set);
        }
        model.0
    }
}

/// A named input or output of the graph.
pub struct ValueInfo<'a> {
    pub name: &'a str,
    pub kind: ElementType,
    pub dimensions: &'a [Dimension<'a>],
}

/// One dimension: free, by a name, or fixed.
pub enum Dimension<'a> {
    Free(&'a str),
    Fixed(usize),
}

impl ValueInfo<'_> {
    fn message(&self) -> Message {
        let mut shape = Message::default();
        for dimension in self.dimensions {
            let mut one = Message::default();
            match dimension {
                Dimension::Fixed(size) => one.int(1, *size as i64),
                Dimension::Free(name) => one.text(2, name),
            }
            shape.message(1, &one);
        }
        let mut tensor = Message::default();
        tensor.int(1, self.kind as i64);
        tensor.message(2, &shape);
        let mut kind = Message::default();
        kind.message(1, &tensor);
        let mut info = Message::default();
        info.text(1, self.name);
        info.message(2, &kind);
        info
    }
}

/// A protocol-buffer message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn int(&mut self, field: u64, value: i64) {
        self.varint(field << 3);
        self.varint(value as u64);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    fn text(&mut self, field: u64, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    fn message(&mut self, field: u64, value: &Self) {
        self.bytes(field, &value.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the protocol-buffer encoding guide.
    #[test]
    fn the_encoding_is_that_of_protocol_buffers() {
        let mut message = Message::default();
        message.int(1, 150);
        assert_eq!(message.0, [0x08, 0x96, 0x01]);
        let mut message = Message::default();
        message.text(2, "testing");
        assert_eq!(message.0, b"\x12\x07testing");
        let mut message = Message::default();
        message.int(1, -1);
        assert_eq!(message.0.len(), 11);
    }
}
