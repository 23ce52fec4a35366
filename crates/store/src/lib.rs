//! SQLite: migrations, conversations, the journal of items, search.
