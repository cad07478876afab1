//! An open parameter file: the only place that opens one.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::Error;

/// What makes two files the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
}

impl Identity {
    fn of(meta: &Metadata) -> Identity {
        Identity { device: meta.dev(), inode: meta.ino(), bytes: meta.len(), modified: (meta.mtime(), meta.mtime_nsec()) }
    }
}

/// See the module's head. It stays open as long as its SRS lives, so that points given up can be read again.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    file: File,
    identity: Identity,
}

impl Source {
    /// Opens the file and fixes its identity.
    pub fn open(path: &Path) -> Result<Source, Error> {
        let unreadable = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => Error::ParamsMissing { path: path.to_owned() },
            _ => Error::ParamsUnreadable { path: path.to_owned(), reason: e.to_string() },
        };
        let file = File::open(path).map_err(unreadable)?;
        let meta = file.metadata().map_err(unreadable)?;
        if !meta.is_file() {
            return Err(Error::ParamsUnreadable { path: path.to_owned(), reason: "not a regular file".to_owned() });
        }
        if meta.len() == 0 {
            return Err(Error::ParamsEmpty { path: path.to_owned() });
        }
        Ok(Source { path: path.to_owned(), file, identity: Identity::of(&meta) })
    }

    /// Where it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length.
    pub fn bytes(&self) -> u64 {
        self.identity.bytes
    }

    /// What it is known by.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Reads at an offset; short reads are resumed, a file that has become shorter is an error.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        self.file.read_exact_at(buffer, offset).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => Error::ParamsChanged { path: self.path.clone() },
            _ => Error::ParamsUnreadable { path: self.path.clone(), reason: format!("at offset {offset}: {e}") },
        })
    }

    /// Refuses a file that was written to since it was opened.
    pub fn unchanged(&self) -> Result<(), Error> {
        let now = self.file.metadata().map_err(|e| Error::ParamsUnreadable { path: self.path.clone(), reason: e.to_string() })?;
        if Identity::of(&now) != self.identity {
            return Err(Error::ParamsChanged { path: self.path.clone() });
        }
        Ok(())
    }
}
