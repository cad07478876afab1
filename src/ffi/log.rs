//! Log lines for callers that are not Rust: to standard error if the environment asks for it, and to a queue that the
//! caller pulls. Rust callers never come here: their own logger gets everything.

use std::ffi::{c_char, CString};
use std::io::Write;
use std::sync::Once;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use log::{LevelFilter, Log, Metadata, Record};
use once_cell::sync::OnceCell;

use super::error::{c2p_error, c_text};
use super::queue::Queue;
use super::{call, infallible};
use crate::{Error, Status};

/// The levels of `LevelFilter`, for the header.
mod levels {
    #![allow(dead_code)]
    /// No lines.
    pub const C2P_LOG_OFF: i32 = 0;
    /// Failed calls.
    pub const C2P_LOG_ERROR: i32 = 1;
    /// What deserves attention.
    pub const C2P_LOG_WARN: i32 = 2;
    /// Phase timings, summaries, the configuration.
    pub const C2P_LOG_INFO: i32 = 3;
    /// More.
    pub const C2P_LOG_DEBUG: i32 = 4;
    /// All there is.
    pub const C2P_LOG_TRACE: i32 = 5;
}

/// The longest that one pull waits.
const LONGEST_WAIT_MS: u64 = 3_600_000;

static QUEUE: Queue = Queue::new();
static STDERR: OnceCell<Option<env_logger::Logger>> = OnceCell::new();

struct Both;

impl Log for Both {
    fn enabled(&self, metadata: &Metadata) -> bool {
        QUEUE.takes(metadata.level()) || stderr().is_some_and(|l| l.enabled(metadata))
    }

    fn log(&self, record: &Record) {
        if let Some(logger) = stderr() {
            logger.log(record);
        }
        if QUEUE.takes(record.level()) {
            let (level, target, message) = (record.level().as_str(), record.target(), record.args().to_string());
            QUEUE.push(json(level, target, &message));
        }
    }

    fn flush(&self) {}
}

fn stderr() -> Option<&'static env_logger::Logger> {
    STDERR.get().and_then(Option::as_ref)
}

/// The logger that the environment asks for; our name beats the ecosystem's. One write for each line.
fn from_env() -> Option<env_logger::Logger> {
    let filter = ["C2PROVER_LOG", "RUST_LOG"].iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()))?;
    let line =
        |buffer: &mut env_logger::fmt::Formatter, r: &Record| writeln!(buffer, "{} {} {} > {}", now(), r.level(), r.target(), r.args());
    Some(env_logger::Builder::new().parse_filters(&filter).format(line).build())
}

fn set_max_level() {
    log::set_max_level(stderr().map_or(LevelFilter::Off, env_logger::Logger::filter).max(QUEUE.level()));
}

/// Installs the logger, once. A logger that is there already stays.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        STDERR.get_or_init(from_env);
        if log::set_logger(&Both).is_ok() {
            set_max_level();
        }
    });
}

fn json(level: &str, target: &str, message: &str) -> String {
    serde_json::json!({"ts": now(), "level": level, "target": target, "message": message}).to_string()
}

/// The time in UTC, such as 2026-09-13T12:34:56.789.
fn now() -> String {
    let ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    date_time(ms)
}

/// Days to a date: H. Hinnant, "chrono-compatible low-level date algorithms", civil_from_days, for days since 1970.
fn date_time(ms: u64) -> String {
    let (seconds, ms) = (ms / 1000, ms % 1000);
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    // Months counted from March, so that the leap day is the last of its year.
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}")
}

/// Begins to keep log lines for c2p_log_next: those of a level (C2P_LOG_ERROR to C2P_LOG_TRACE) and more urgent ones.
/// C2P_LOG_OFF ends it, forgets what was not pulled, and wakes a thread that waits in c2p_log_next. Independent of what
/// the environment sends to standard error.
///
/// Returns C2P_OK, or C2P_ERR_INVALID_ARGUMENT for another number.
#[no_mangle]
#[must_use]
pub unsafe extern "C" fn c2p_log_subscribe(level: i32, err: *mut *mut c2p_error) -> Status {
    let subscribe = || {
        let filter = usize::try_from(level).ok().and_then(|n| LevelFilter::iter().nth(n));
        let filter = filter.ok_or_else(|| Error::InvalidArgument(format!("level is {level}: expected 0 (off) to 5 (trace)")))?;
        QUEUE.set_level(filter);
        set_max_level();
        Ok(())
    };
    // SAFETY: the caller keeps the header's rules for err.
    unsafe { call("c2p_log_subscribe", err, subscribe) }
}

/// The next log line as a JSON object with ts (UTC), level, target and message; message is key=value pairs where the
/// line has figures. Waits up to timeout_ms. NULL if there was none, or without c2p_log_subscribe. At most 4,096 lines
/// are kept; where older ones were dropped, a line says how many.
///
/// The caller frees it with c2p_string_free. Any thread; each line is given once.
#[no_mangle]
#[must_use]
pub extern "C" fn c2p_log_next(timeout_ms: u64) -> *mut c_char {
    infallible("c2p_log_next", std::ptr::null_mut(), || {
        let dropped = |n: u64| json("WARN", "c2prover::log", &format!("dropped={n}"));
        let line = QUEUE.next(Duration::from_millis(timeout_ms.min(LONGEST_WAIT_MS)), dropped);
        Ok(line.map_or(std::ptr::null_mut(), |line| c_text(&line).into_raw()))
    })
}

/// Frees a string that c2p_log_next returned. NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn c2p_string_free(string: *mut c_char) {
    if !string.is_null() {
        // SAFETY: by the header's rules it came from `CString::into_raw` in `c2p_log_next` and is freed once.
        drop(unsafe { CString::from_raw(string) });
    }
}

#[cfg(test)]
mod tests {
    use super::date_time;

    #[test]
    fn dates_and_times() {
        assert_eq!(date_time(0), "1970-01-01T00:00:00.000");
        assert_eq!(date_time(951_782_400_000), "2000-02-29T00:00:00.000");
        assert_eq!(date_time(1_789_302_896_789), "2026-09-13T12:34:56.789");
        assert_eq!(date_time(1_798_761_599_999), "2026-12-31T23:59:59.999");
    }
}
