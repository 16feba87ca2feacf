//! The query language: what is read of each construct, in both languages, and what must hold for any text.

mod cases;
mod corpus;
mod dump;
mod properties;
mod twins;
