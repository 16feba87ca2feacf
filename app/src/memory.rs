//! What the program asks of its allocator.

/// mimalloc's number of the option that says after how many milliseconds unused memory goes back to the system
/// (`mi_option_purge_delay` in its `mimalloc.h`; the binding has no name for it).
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Gives unused memory back at once. Peak memory of a build is a fifth lower than with the ten milliseconds that are the default, and
/// the time is the same.
pub fn give_back() {
    set_delay(1);
}

/// Keeps what was used once. An update is over before anybody could need its memory, and a quarter of it would be given back only to be
/// asked for again.
pub fn keep() {
    set_delay(-1);
}

fn set_delay(milliseconds: std::ffi::c_long) {
    #[allow(unsafe_code, reason = "sets a number, which the allocator reads whole")]
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, milliseconds);
    }
}
