//! Environment variables: one list, printed, checked for unknown names and compared with the documents by a test.
//!
//! An option of the interface beats `C2PROVER_*`, which beats the ecosystem's own name, which beats the default.
//! They are read when an engine or backend is made, not when the library is loaded.

use std::path::PathBuf;
use std::time::Duration;

use crate::timing::{self, Level, Report};
use crate::Error;

/// One variable: what it does and what stands in for it.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Variable {
    pub name: &'static str,
    /// A name of the ecosystem that is honoured where ours is not set.
    pub alias: Option<&'static str>,
    pub values: &'static str,
    pub default: &'static str,
}

/// All variables of this library.
pub const VARIABLES: &[Variable] = &[
    Variable { name: "C2PROVER_LOG", alias: Some("RUST_LOG"), values: "log filter such as info or c2prover=debug", default: "silent" },
    Variable { name: "C2PROVER_TIMING", alias: None, values: "off, summary, phases, kernels", default: "summary" },
    Variable { name: "C2PROVER_TRACE", alias: None, values: "file to which Chrome trace events are appended", default: "none" },
    Variable {
        name: "C2PROVER_PARAM_CACHE",
        alias: Some("FIL_PROOFS_PARAMETER_CACHE"),
        values: "folder of the parameter files",
        default: "/var/tmp/filecoin-proof-parameters",
    },
    Variable {
        name: "C2PROVER_PARAM_CHECK",
        alias: Some("FIL_PROOFS_VERIFY_PRODUCTION_PARAMS"),
        values: "full (or 1): an engine compares the digest of each parameter file with the official one; size (or 0)",
        default: "size",
    },
    Variable { name: "C2PROVER_BACKEND", alias: None, values: "auto, cpu, cuda", default: "auto" },
    Variable {
        name: "C2PROVER_CPU_THREADS",
        alias: Some("RAYON_NUM_THREADS"),
        values: "number of threads",
        default: "the cores this process may use",
    },
    Variable { name: "C2PROVER_B_G2_THREADS", alias: None, values: "threads of them for B_G2 while the rest is busy", default: "by cost" },
    Variable {
        name: "C2PROVER_B_G2",
        alias: None,
        values: "auto, cpu, gpu, split: where B_G2 is computed, if there is a GPU",
        default: "auto",
    },
    Variable {
        name: "C2PROVER_DEVICE_MEMORY",
        alias: None,
        values: "most device memory to use, such as 16GiB",
        default: "what is free, less a tenth",
    },
    Variable { name: "C2PROVER_STREAMS", alias: None, values: "1 to 4 streams of kernels", default: "3" },
    Variable {
        name: "C2PROVER_HOST_MEMORY",
        alias: None,
        values: "most host memory for inputs, circuits and their proofs, such as 128GiB",
        default: "what is free, less a tenth",
    },
    Variable { name: "C2PROVER_MAX_QUEUE", alias: None, values: "jobs that may wait in an engine", default: "256" },
    Variable { name: "C2PROVER_BATCH", alias: None, values: "circuits of one shape in one call of the prover", default: "1" },
    Variable {
        name: "C2PROVER_BATCH_WAIT_MS",
        alias: None,
        values: "milliseconds that a circuit waits for others of its batch",
        default: "0",
    },
    Variable {
        name: "C2PROVER_SYNTHESIS_THREADS",
        alias: None,
        values: "circuits that are synthesised at once",
        default: "half the threads",
    },
    Variable { name: "C2PROVER_SELF_VERIFY", alias: None, values: "1, 0", default: "1" },
];

/// Variables that look as if they did something and do not.
const DEAD: &[&str] = &["FIL_PROOFS_GPU_FRAMEWORK", "BELLMAN_GPU_FRAMEWORK", "NEPTUNE_GPU_FRAMEWORK"];

/// Where the arithmetic may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BackendChoice {
    Auto,
    Cpu,
    Cuda,
}

/// Which processor computes B_G2, where there is a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum BG2Choice {
    /// Whichever lets the proof end first, by a model that is corrected after each proof.
    #[default]
    Auto,
    Cpu,
    Gpu,
    /// Both, so that they end together.
    Split,
}

/// What the environment says.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names are those of the variables
pub struct Config {
    pub timing: Level,
    pub trace: Option<PathBuf>,
    pub param_cache: PathBuf,
    /// Whether the digests of parameter files are compared with the official ones.
    pub param_check: bool,
    pub backend: BackendChoice,
    pub cpu_threads: Option<usize>,
    pub b_g2_threads: Option<usize>,
    pub b_g2: BG2Choice,
    /// Bytes.
    pub device_memory: Option<usize>,
    pub streams: Option<usize>,
    /// Bytes.
    pub host_memory: Option<usize>,
    pub max_queue: usize,
    pub batch: usize,
    pub batch_wait: Duration,
    pub synthesis_threads: Option<usize>,
    pub self_verify: bool,
}

/// Value of a variable, or of its alias, with the name it came from. Empty counts as unset.
fn lookup(name: &str, env: &impl Fn(&str) -> Option<String>) -> Option<(&'static str, String)> {
    let variable = VARIABLES.iter().find(|v| v.name == name)?;
    let of = |name: &'static str| env(name).filter(|v| !v.is_empty()).map(|v| (name, v));
    of(variable.name).or_else(|| of(variable.alias?))
}

/// A number of bytes with an optional unit: KiB, MiB, GiB, TiB, or KB, MB, GB, TB in powers of ten.
fn bytes(text: &str) -> Option<usize> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (text[..digits].parse::<f64>().ok()?, text[digits..].trim());
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kib" | "k" => 1024.0,
        "mib" | "m" => 1024.0 * 1024.0,
        "gib" | "g" => 1024.0 * 1024.0 * 1024.0,
        "tib" | "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return None,
    };
    let bytes = number * unit;
    (1.0..1e18).contains(&bytes).then_some(bytes as usize)
}

fn refused(name: &str, value: &str) -> Error {
    let values = VARIABLES.iter().find(|v| v.name == name || v.alias == Some(name)).map_or("", |v| v.values);
    Error::InvalidArgument(format!("{name}={value}: expected {values}"))
}

impl Config {
    /// Reads the environment of the process.
    ///
    /// # Errors
    /// `InvalidArgument` naming the variable, for a value that is none of its own.
    pub fn from_env() -> Result<Config, Error> {
        Config::read(|name| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()))
    }

    fn read(env: impl Fn(&str) -> Option<String>) -> Result<Config, Error> {
        let parsed = |name: &str| lookup(name, &env);
        let count = |name: &str| {
            let Some((from, value)) = parsed(name) else { return Ok(None) };
            match value.parse::<usize>() {
                // rayon's own name uses 0 for "all".
                Ok(0) if from == "RAYON_NUM_THREADS" => Ok(None),
                Ok(n) if n > 0 => Ok(Some(n)),
                _ => Err(refused(from, &value)),
            }
        };
        let timing = match parsed("C2PROVER_TIMING") {
            None => Level::Summary,
            Some((from, value)) => Level::parse(&value).ok_or_else(|| refused(from, &value))?,
        };
        let backend = match parsed("C2PROVER_BACKEND") {
            None => BackendChoice::Auto,
            Some((from, value)) => match value.as_str() {
                "auto" => BackendChoice::Auto,
                "cpu" => BackendChoice::Cpu,
                "cuda" => BackendChoice::Cuda,
                _ => return Err(refused(from, &value)),
            },
        };
        let b_g2 = match parsed("C2PROVER_B_G2") {
            None => BG2Choice::Auto,
            Some((from, value)) => match value.as_str() {
                "auto" => BG2Choice::Auto,
                "cpu" => BG2Choice::Cpu,
                "gpu" => BG2Choice::Gpu,
                "split" => BG2Choice::Split,
                _ => return Err(refused(from, &value)),
            },
        };
        let memory = |name: &str| match parsed(name) {
            None => Ok(None),
            Some((from, value)) => bytes(&value).ok_or_else(|| refused(from, &value)).map(Some),
        };
        let batch_wait = match parsed("C2PROVER_BATCH_WAIT_MS") {
            None => 0,
            Some((from, value)) => value.parse::<u64>().map_err(|_| refused(from, &value))?,
        };
        let streams = match count("C2PROVER_STREAMS")? {
            Some(n) if n > 4 => return Err(refused("C2PROVER_STREAMS", &n.to_string())),
            streams => streams,
        };
        let param_check = match parsed("C2PROVER_PARAM_CHECK") {
            None => false,
            Some((from, value)) => match value.to_ascii_lowercase().as_str() {
                "full" | "1" | "true" => true,
                "size" | "0" | "false" => false,
                _ => return Err(refused(from, &value)),
            },
        };
        let self_verify = match parsed("C2PROVER_SELF_VERIFY") {
            None => true,
            Some((from, value)) => match value.to_ascii_lowercase().as_str() {
                "1" | "true" | "yes" | "on" => true,
                "0" | "false" | "no" | "off" => false,
                _ => return Err(refused(from, &value)),
            },
        };
        Ok(Config {
            timing,
            trace: parsed("C2PROVER_TRACE").map(|(_, path)| path.into()),
            param_cache: parsed("C2PROVER_PARAM_CACHE")
                .map_or_else(|| "/var/tmp/filecoin-proof-parameters".into(), |(_, path)| path.into()),
            param_check,
            backend,
            cpu_threads: count("C2PROVER_CPU_THREADS")?,
            b_g2_threads: count("C2PROVER_B_G2_THREADS")?,
            b_g2,
            device_memory: memory("C2PROVER_DEVICE_MEMORY")?,
            streams,
            host_memory: memory("C2PROVER_HOST_MEMORY")?,
            max_queue: count("C2PROVER_MAX_QUEUE")?.unwrap_or(256),
            batch: count("C2PROVER_BATCH")?.unwrap_or(1),
            batch_wait: Duration::from_millis(batch_wait),
            synthesis_threads: count("C2PROVER_SYNTHESIS_THREADS")?,
            self_verify,
        })
    }

    /// All variables with their meanings and defaults, one a line.
    pub fn table() -> String {
        let line = |v: &Variable| {
            let alias = v.alias.map_or_else(String::new, |alias| format!(" (or {alias})"));
            format!("{}{alias}: {}; default: {}\n", v.name, v.values, v.default)
        };
        VARIABLES.iter().map(line).collect()
    }

    /// Writes a report wherever the environment wants it.
    pub fn publish(&self, report: &Report) {
        timing::emit(report, self.timing);
        if let Some(path) = &self.trace {
            if let Err(e) = timing::append_trace(report, path) {
                log::warn!(target: "c2prover::trace", "{}: {e}", path.display());
            }
        }
    }

    /// Logs the effective values with their sources, and warns of names that do nothing.
    pub fn log(&self) {
        log::info!(target: "c2prover::config", "{self:?}");
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if unknown(&name) {
                log::warn!(target: "c2prover::config", "{name} is not a variable of this library");
            }
            if DEAD.contains(&name.as_ref()) {
                log::warn!(target: "c2prover::config", "{name} does nothing, here or anywhere");
            }
        }
    }
}

fn unknown(name: &str) -> bool {
    name.starts_with("C2PROVER_") && !name.starts_with("C2PROVER_TEST_") && !VARIABLES.iter().any(|v| v.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Result<Config, Error> {
        Config::read(|name| pairs.iter().find(|p| p.0 == name).map(|p| p.1.to_owned()))
    }

    #[test]
    fn ours_beats_the_alias_and_empty_is_unset() {
        let c = with(&[("C2PROVER_CPU_THREADS", "3"), ("RAYON_NUM_THREADS", "5")]).unwrap();
        assert_eq!(c.cpu_threads, Some(3));
        let c = with(&[("C2PROVER_CPU_THREADS", ""), ("RAYON_NUM_THREADS", "5"), ("FIL_PROOFS_PARAMETER_CACHE", "/p")]).unwrap();
        assert_eq!((c.cpu_threads, c.param_cache), (Some(5), PathBuf::from("/p")));
        assert_eq!(with(&[("RAYON_NUM_THREADS", "0")]).unwrap().cpu_threads, None);
    }

    #[test]
    fn a_value_that_is_none_is_an_error_naming_the_variable() {
        for (name, value) in [
            ("C2PROVER_CPU_THREADS", "0"),
            ("C2PROVER_CPU_THREADS", "many"),
            ("C2PROVER_TIMING", "loud"),
            ("C2PROVER_BACKEND", "gpu"),
            ("C2PROVER_PARAM_CHECK", "partly"),
            ("C2PROVER_SELF_VERIFY", "perhaps"),
            ("C2PROVER_B_G2", "both"),
            ("C2PROVER_DEVICE_MEMORY", "16 GiBs"),
            ("C2PROVER_DEVICE_MEMORY", "0"),
            ("C2PROVER_HOST_MEMORY", "all"),
            ("C2PROVER_MAX_QUEUE", "0"),
            ("C2PROVER_BATCH", "-1"),
            ("C2PROVER_BATCH_WAIT_MS", "soon"),
            ("C2PROVER_STREAMS", "5"),
        ] {
            assert!(with(&[(name, value)]).unwrap_err().to_string().contains(name), "{name}={value}");
        }
    }

    #[test]
    fn memory_has_units() {
        for (text, expected) in [("16GiB", 16 << 30), ("1.5 gib", 3 << 29), ("2000MB", 2_000_000_000), ("4096", 4096), ("24g", 24 << 30)] {
            assert_eq!(with(&[("C2PROVER_DEVICE_MEMORY", text)]).unwrap().device_memory, Some(expected), "{text}");
        }
    }

    #[test]
    fn unknown_names_are_told() {
        assert!(unknown("C2PROVER_THREADS") && !unknown("C2PROVER_TRACE") && !unknown("HOME") && !unknown("C2PROVER_TEST_FAULT"));
    }

    #[test]
    fn the_documents_list_the_same_variables() {
        let readme = include_str!("../README.md");
        for v in VARIABLES {
            assert!(readme.contains(&format!("`{}`", v.name)), "{} is missing in README.md", v.name);
        }
    }
}
