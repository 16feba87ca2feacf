//! Support for end-to-end tests: finds real configurations.
