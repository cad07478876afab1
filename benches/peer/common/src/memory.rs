//! Memory of this process, by the system's account of it.

fn status(field: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix(field))?.trim_start_matches(':').trim();
    Some(kib.strip_suffix(" kB")?.parse::<usize>().ok()? * 1024)
}

/// Bytes of memory it has now; 0 if the system does not say.
pub fn resident() -> usize {
    status("VmRSS").unwrap_or(0)
}

/// The most it had since the last [`forget_peak`].
pub fn peak() -> usize {
    status("VmHWM").unwrap_or(0)
}

/// Begins to look for the peak anew. Where that is not allowed the peak is that of the process's life.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
