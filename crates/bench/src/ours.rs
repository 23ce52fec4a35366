//! The decoders as the agent's driver uses them.

use std::hint::black_box;

use tabwright_llm::provider_for;
use tabwright_protocol::ProviderKind;

use crate::Said;

pub(crate) fn read(format: ProviderKind, body: &[u8], piece: usize) -> Result<Said, String> {
    let mut decoder = provider_for(format).read(true);
    for bytes in body.chunks(piece) {
        let events = decoder.feed(bytes).map_err(|error| error.to_string())?;
        // The machine looks at each; to make them is the decoder's work.
        black_box(events);
    }
    let answer = decoder.finish().map_err(|error| error.to_string())?;
    let arguments = answer.calls.iter().map(|call| call.arguments.as_str());
    Ok(Said {
        arguments: arguments.collect(),
        text: answer.text,
        thinking: answer.thinking,
    })
}
