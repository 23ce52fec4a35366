//! Model wire formats without I/O: request out, bytes in, events out. One file a provider.
