//! L4: everything a user can ask for, as functions; the command list.
