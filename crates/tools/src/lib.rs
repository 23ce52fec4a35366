//! The Tool trait, the registry, the one door, and one file a tool.
