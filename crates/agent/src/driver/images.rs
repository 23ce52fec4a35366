//! Images that a model made: their bytes go into files of the workspace, and the answer's text says
//! where, for the person and for the model itself.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tabwright_host::Host;
use tabwright_llm::{Answer, Image};

/// The folder of them.
const FOLDER: &str = "images";

/// Keeps an answer's images. They are in files when its text names them.
pub(super) async fn keep(host: &Host, answer: &mut Answer) {
    for image in std::mem::take(&mut answer.images) {
        let line = match write(host, &image).await {
            Ok(path) => format!("![{path}](workspace:{path})"),
            // The answer is as good without it, and nobody shall look for a file that is not there.
            Err(why) => format!("(An image that the model made could not be kept: {why})"),
        };
        if !answer.text.is_empty() {
            answer.text.push_str("\n\n");
        }
        answer.text.push_str(&line);
    }
}

async fn write(host: &Host, image: &Image) -> Result<String, String> {
    let bytes = STANDARD
        .decode(&image.data)
        .map_err(|_| "its data is not Base64.".to_owned())?;
    let path = path(&image.media_type, &bytes);
    match host.files.write(&path, bytes).await {
        Ok(()) => Ok(path),
        Err(error) => Err(error.to_string()),
    }
}

/// What the bytes are, whatever they were said to be: some servers say `image/jpg`, or PNG of all.
fn ending(media_type: &str, bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "png",
        [0xFF, 0xD8, 0xFF, ..] => "jpg",
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => "webp",
        [b'G', b'I', b'F', b'8', ..] => "gif",
        _ => match media_type {
            "image/png" => "png",
            "image/jpeg" | "image/jpg" => "jpg",
            "image/webp" => "webp",
            "image/gif" => "gif",
            _ => "image",
        },
    }
}

/// The same image has the same name: an answer that is heard again makes no second file.
fn path(media_type: &str, bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let ending = ending(media_type, bytes);
    format!("{FOLDER}/{hash:016x}.{ending}")
}
