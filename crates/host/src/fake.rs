//! A fake browser.
