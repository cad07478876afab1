//! Reports as log lines: `key=value` pairs, one event a line, under the targets `c2prover::phase` and `c2prover::summary`.

use super::Report;

/// How much of a report goes to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Level {
    Off,
    /// Totals by phase and the summary.
    Summary,
    /// Each span as well.
    Phases,
    /// Also what happens inside the operations of a GPU.
    Kernels,
}

impl Level {
    /// Reads the value of `C2PROVER_TIMING`.
    pub fn parse(text: &str) -> Option<Level> {
        match text {
            "off" | "0" => Some(Level::Off),
            "summary" | "" => Some(Level::Summary),
            "phases" | "1" => Some(Level::Phases),
            "kernels" | "2" => Some(Level::Kernels),
            _ => None,
        }
    }
}

/// Writes the report at level INFO.
pub fn emit(report: &Report, level: Level) {
    if level == Level::Off || !log::log_enabled!(target: "c2prover::summary", log::Level::Info) {
        return;
    }
    let (job, kind) = (&report.job, report.kind);
    if level >= Level::Phases {
        for span in &report.spans {
            let part = span.part.map(|p| format!(" part={p}")).unwrap_or_default();
            let attrs: String = span.attrs.iter().map(|(name, value)| format!(" {name}={value}")).collect();
            let (t0, dur) = (span.start / 1000, (span.end - span.start) / 1000);
            log::info!(target: "c2prover::phase", "job={job} kind={kind}{part} phase={} lane={} t0_us={t0} dur_us={dur}{attrs}", span.phase, span.lane);
        }
    }
    for p in &report.phases {
        let (phase, lane, spans, total, critical) = (p.phase, p.lane, p.spans, p.total_us, p.critical_us);
        log::info!(target: "c2prover::summary", "job={job} kind={kind} phase={phase} lane={lane} spans={spans} total_us={total} critical_us={critical}");
    }
    let path: Vec<String> = report.critical_path.iter().map(|s| format!("{}:{}", s.phase, s.us)).collect();
    log::info!(target: "c2prover::summary", "job={job} kind={kind} critical_path={}", path.join(">"));
    let notes: String = report.notes.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let overlap = report.overlap.map(|o| format!(" overlap={o:.3}")).unwrap_or_default();
    log::info!(
        target: "c2prover::summary",
        "job={job} kind={kind} status={} total_ms={} queue_ms={} srs_ms={} synth_ms={} b2_ms={} verify_ms={} unaccounted_us={}{overlap}{notes}",
        report.status, report.wall_us / 1000, report.prefix_us("queue") / 1000, report.prefix_us("srs.load") / 1000,
        report.prefix_us("synthesis") / 1000, report.prefix_us("cpu.msm.b2") / 1000, report.prefix_us("verify") / 1000, report.unaccounted_us,
    );
    // The two lines that people of the field grep for.
    if report.phases.iter().any(|p| p.phase == "synthesis") {
        log::info!(target: "c2prover::summary", "synthesis time: {:.3}s", report.prefix_us("synthesis") as f64 / 1e6);
    }
    log::info!(target: "c2prover::summary", "prover time: {:.3}s", report.wall_us as f64 / 1e6);
}
