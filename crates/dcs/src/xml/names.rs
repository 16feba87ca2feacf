//! Namespaces as small numbers. Those that report schemas are made of have fixed ones.

/// Number of a namespace in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NsId(pub u32);

impl NsId {
    /// Whether the model of report schemas knows this namespace; the same number in every document.
    pub fn is_known(self) -> bool {
        self != ns::NONE && (self.0 as usize) < KNOWN.len()
    }
}

/// Namespaces with fixed numbers: the prefix that the files of the model use, and the address. Number 0 is "no namespace",
/// the last one stands for a prefix that is bound to nothing.
pub const KNOWN: &[(&str, &str)] = &[
    ("", ""),
    ("sch", "http://v8.1c.ru/8.1/data-composition-system/schema"),
    ("set", "http://v8.1c.ru/8.1/data-composition-system/settings"),
    ("cor", "http://v8.1c.ru/8.1/data-composition-system/core"),
    ("com", "http://v8.1c.ru/8.1/data-composition-system/common"),
    ("area", "http://v8.1c.ru/8.1/data-composition-system/area-template"),
    ("det", "http://v8.1c.ru/8.1/data-composition-system/details"),
    ("v8", "http://v8.1c.ru/8.1/data/core"),
    ("ui", "http://v8.1c.ru/8.1/data/ui"),
    ("ent", "http://v8.1c.ru/8.1/data/enterprise"),
    ("xs", "http://www.w3.org/2001/XMLSchema"),
    ("xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ("xml", "http://www.w3.org/XML/1998/namespace"),
    ("xmlns", "http://www.w3.org/2000/xmlns/"),
    ("?", "?"),
];

/// Numbers of [`KNOWN`].
#[allow(missing_docs)]
pub mod ns {
    use super::NsId;

    pub const NONE: NsId = NsId(0);
    pub const SCHEMA: NsId = NsId(1);
    pub const SETTINGS: NsId = NsId(2);
    pub const CORE: NsId = NsId(3);
    pub const COMMON: NsId = NsId(4);
    pub const AREA: NsId = NsId(5);
    pub const DETAILS: NsId = NsId(6);
    pub const DATA: NsId = NsId(7);
    pub const UI: NsId = NsId(8);
    pub const ENTERPRISE: NsId = NsId(9);
    pub const XS: NsId = NsId(10);
    pub const XSI: NsId = NsId(11);
    pub const XML: NsId = NsId(12);
    pub const XMLNS: NsId = NsId(13);
    /// A prefix that is bound to nothing.
    pub const UNBOUND: NsId = NsId(14);
}
