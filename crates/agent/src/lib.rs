//! The run: state machine, history, driver, resume.
