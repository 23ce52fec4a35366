//! Model text in, typed blocks out: the only way model text reaches a screen.
