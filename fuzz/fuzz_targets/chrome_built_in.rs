#![no_main]

use libfuzzer_sys::fuzz_target;
use tabwright_llm::checks;
use tabwright_protocol::ProviderKind;

fuzz_target!(|data: &[u8]| checks::provider(ProviderKind::ChromeBuiltIn, data));
