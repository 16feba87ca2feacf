//! An image that goes with a question: a screenshot of an error, mostly.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An image, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Name of its file.
    pub name: String,
    /// `image/png`, `image/jpeg`, `image/webp`, `image/gif`.
    pub media_type: String,
    /// Its bytes, in Base64.
    pub data: String,
}

/// Largest file that is taken, in bytes; providers' own limits lie between 5 and 20 MB.
pub const LARGEST: usize = 5 << 20;

/// Why a file is no image that can be sent.
#[derive(Debug, Error)]
pub enum ImageError {
    /// It can't be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// It is larger than [`LARGEST`].
    #[error("{bytes} bytes; at most {LARGEST} are sent")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// Neither PNG, JPEG, WebP nor GIF.
    #[error("neither PNG, JPEG, WebP nor GIF")]
    Format,
}

impl Image {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ImageError`].
    pub fn read(path: &Path) -> Result<Self, ImageError> {
        let size = usize::try_from(std::fs::metadata(path)?.len()).unwrap_or(usize::MAX);
        if size > LARGEST {
            return Err(ImageError::TooLarge { bytes: size });
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self::from_bytes(&name, &std::fs::read(path)?)
    }

    /// From the bytes of a file; what it is, its first bytes say, not its name.
    ///
    /// # Errors
    /// [`ImageError::TooLarge`], [`ImageError::Format`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, ImageError> {
        if bytes.len() > LARGEST {
            return Err(ImageError::TooLarge { bytes: bytes.len() });
        }
        let media_type = match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            [b'G', b'I', b'F', b'8', ..] => "image/gif",
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
            _ => return Err(ImageError::Format),
        };
        Ok(Self { name: name.to_owned(), media_type: media_type.to_owned(), data: STANDARD.encode(bytes) })
    }

    /// The image as an address that holds it.
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_say_what_it_is() {
        let kind = |bytes: &[u8]| Image::from_bytes("снимок.bmp", bytes).map(|image| image.media_type);
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n1").unwrap(), "image/png");
        assert_eq!(kind(b"\xff\xd8\xff\xe0").unwrap(), "image/jpeg");
        assert_eq!(kind(b"RIFF1234WEBPVP8 ").unwrap(), "image/webp");
        assert!(matches!(kind(b"BM6"), Err(ImageError::Format)));
        assert!(matches!(kind(b""), Err(ImageError::Format)));
        assert!(matches!(kind(&vec![0; LARGEST + 1]), Err(ImageError::TooLarge { .. })));
        assert_eq!(Image::from_bytes("a", b"GIF89a").unwrap().data_url(), "data:image/gif;base64,R0lGODlh");
    }

    #[test]
    fn a_file_that_is_not_there_is_an_error() {
        assert!(matches!(Image::read(Path::new("no-such-file.png")), Err(ImageError::Read(_))));
    }
}
