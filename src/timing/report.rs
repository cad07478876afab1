//! What the spans of a job say: totals by phase and lane, time that belongs to nobody, overlap, the critical path.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Kind, Span};
use crate::Status;

/// Two spans of the critical path that are closer than this follow one another without a gap.
const ADJACENT_NS: u64 = 100_000;

/// Everything known of where a job's time went. Times are microseconds.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this layout.
    pub schema: u32,
    /// The job's name, as it stands in log lines.
    pub job: String,
    /// What was proved: `circuit`, `porep`, …
    pub kind: &'static str,
    /// Name of the outcome.
    pub status: &'static str,
    /// When the job began, in microseconds since 1970.
    pub began_unix_us: u64,
    /// From the beginning of the call to its end.
    pub wall_us: u64,
    /// Wall time in which no lane had a span of its own: what nobody owns.
    pub unaccounted_us: u64,
    /// Wall time of the proving section over the busiest lane in it; 1 means that everything else was hidden.
    pub overlap: Option<f64>,
    /// Totals by phase, in order of first appearance.
    pub phases: Vec<PhaseTotals>,
    /// Totals by lane.
    pub lanes: Vec<LaneTotals>,
    /// The chain of spans that decided the wall time, first to last.
    pub critical_path: Vec<PathStep>,
    /// Facts that explain the figures, such as thread counts.
    pub notes: BTreeMap<&'static str, String>,
    #[serde(skip)]
    pub(super) spans: Vec<Span>,
}

/// Spans of one phase, added up.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct PhaseTotals {
    pub phase: &'static str,
    pub lane: &'static str,
    pub kind: Kind,
    pub spans: usize,
    pub total_us: u64,
    /// The part of it that lies on the critical path.
    pub critical_us: u64,
}

/// What one lane did between its first span and its last.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct LaneTotals {
    pub lane: &'static str,
    pub work_us: u64,
    pub wait_us: u64,
    pub join_us: u64,
    /// Time inside the lane's own extent without any span: seen even where another lane was busy.
    pub gap_us: u64,
}

/// One step of the critical path; the phase `unaccounted` is a gap on it.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct PathStep {
    pub phase: &'static str,
    pub lane: &'static str,
    pub us: u64,
}

/// Length of the union of intervals; sorts them.
fn union(intervals: &mut [(u64, u64)]) -> u64 {
    intervals.sort_unstable();
    let (mut sum, mut reached) = (0, 0);
    for &(start, end) in intervals.iter() {
        let from = start.max(reached);
        if end > from {
            sum += end - from;
            reached = end;
        }
    }
    sum
}

fn union_of<'a>(spans: impl Iterator<Item = &'a Span>) -> u64 {
    union(&mut spans.map(|s| (s.start, s.end)).collect::<Vec<_>>())
}

/// Walks back from the end: from each span to the one before it on its lane if that follows without a gap,
/// otherwise to the span that ended last before it began.
fn critical_path(spans: &[Span], wall: u64) -> Vec<(Option<usize>, u64)> {
    let mut by_end: Vec<usize> = (0..spans.len()).filter(|i| spans[*i].kind != Kind::Join).collect();
    by_end.sort_unstable_by_key(|i| spans[*i].end);
    let (mut path, mut at, mut lane) = (Vec::new(), wall, "");
    while let Some(last) = by_end.last().copied() {
        if spans[last].end > at {
            by_end.pop();
            continue;
        }
        let near = |i: &&usize| at - spans[**i].end <= ADJACENT_NS;
        let step = by_end.iter().rev().take_while(near).find(|i| spans[**i].lane == lane).copied().unwrap_or(last);
        let span = &spans[step];
        // The hand-over from thread to thread takes some microseconds; it counts as unaccounted, but is no step.
        if at > span.end + ADJACENT_NS {
            path.push((None, at - span.end));
        }
        path.push((Some(step), span.end - span.start));
        (at, lane) = (span.start, span.lane);
        by_end.retain(|i| *i != step && spans[*i].end <= at);
    }
    if at > ADJACENT_NS {
        path.push((None, at));
    }
    path.reverse();
    path
}

impl Report {
    pub(super) fn new(job: &str, kind: &'static str, status: Status, began_unix_us: u64, wall: u64, mut spans: Vec<Span>) -> Report {
        spans.sort_by_key(|s| (s.start, s.end));
        let owned = union_of(spans.iter().filter(|s| s.kind != Kind::Join)).min(wall);
        let path = critical_path(&spans, wall);
        let mut phases: Vec<PhaseTotals> = Vec::new();
        for (i, span) in spans.iter().enumerate() {
            let ns = span.end - span.start;
            let critical = if path.iter().any(|p| p.0 == Some(i)) { ns } else { 0 };
            match phases.iter_mut().find(|p| p.phase == span.phase && p.lane == span.lane) {
                Some(p) => (p.spans, p.total_us, p.critical_us) = (p.spans + 1, p.total_us + ns, p.critical_us + critical),
                None => phases.push(PhaseTotals {
                    phase: span.phase,
                    lane: span.lane,
                    kind: span.kind,
                    spans: 1,
                    total_us: ns,
                    critical_us: critical,
                }),
            }
        }
        for p in &mut phases {
            (p.total_us, p.critical_us) = (p.total_us / 1000, p.critical_us / 1000);
        }
        let critical_path = merge_steps(&spans, &path);
        Report {
            schema: 1,
            job: job.to_owned(),
            kind,
            status: status.name(),
            began_unix_us,
            wall_us: wall / 1000,
            unaccounted_us: (wall - owned) / 1000,
            overlap: overlap(&spans),
            lanes: lanes(&spans),
            phases,
            critical_path,
            notes: BTreeMap::new(),
            spans,
        }
    }

    /// The report as one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Total of one phase over all lanes, in microseconds.
    pub fn phase_us(&self, phase: &str) -> u64 {
        self.phases.iter().filter(|p| p.phase == phase).map(|p| p.total_us).sum()
    }

    /// Total of all phases whose name begins with `prefix`, in microseconds.
    pub fn prefix_us(&self, prefix: &str) -> u64 {
        self.phases.iter().filter(|p| p.phase.starts_with(prefix)).map(|p| p.total_us).sum()
    }
}

/// The path with neighbouring steps of one phase made one.
fn merge_steps(spans: &[Span], path: &[(Option<usize>, u64)]) -> Vec<PathStep> {
    let mut steps: Vec<PathStep> = Vec::new();
    for (span, ns) in path {
        let (phase, lane) = span.map_or(("unaccounted", ""), |i| (spans[i].phase, spans[i].lane));
        match steps.last_mut() {
            Some(step) if step.phase == phase && step.lane == lane => step.us += ns,
            _ => steps.push(PathStep { phase, lane, us: *ns }),
        }
    }
    for step in &mut steps {
        step.us /= 1000;
    }
    steps.retain(|step| step.us > 0);
    steps
}

fn lanes(spans: &[Span]) -> Vec<LaneTotals> {
    let mut names: Vec<&'static str> = Vec::new();
    for span in spans {
        if !names.contains(&span.lane) {
            names.push(span.lane);
        }
    }
    let totals = |lane: &'static str| {
        let own = || spans.iter().filter(move |s| s.lane == lane);
        let of = |kind: Kind| own().filter(move |s| s.kind == kind).map(|s| s.end - s.start).sum::<u64>() / 1000;
        let extent = own().map(|s| s.end).max().unwrap_or(0) - own().map(|s| s.start).min().unwrap_or(0);
        LaneTotals {
            lane,
            work_us: of(Kind::Work),
            wait_us: of(Kind::Wait),
            join_us: of(Kind::Join),
            gap_us: (extent - union_of(own()).min(extent)) / 1000,
        }
    };
    names.into_iter().map(totals).collect()
}

/// The proving section begins with the preparation of the inputs, and is where lanes other than the caller's have spans.
fn overlap(spans: &[Span]) -> Option<f64> {
    let mut busy: BTreeMap<&str, Vec<(u64, u64)>> = BTreeMap::new();
    for span in spans.iter().filter(|s| s.lane != super::CALLER && !s.lane.starts_with(super::ENGINE) && s.kind == Kind::Work) {
        // The streams of a device are one processor.
        let lane = if span.lane.starts_with("gpu:") { span.lane.split('.').next().unwrap_or(span.lane) } else { span.lane };
        busy.entry(lane).or_default().push((span.start, span.end));
    }
    let prepared = spans.iter().filter(|s| s.phase.starts_with("prep.")).map(|s| s.start);
    let start = busy.values().flatten().map(|s| s.0).chain(prepared).min()?;
    let end = busy.values().flatten().map(|s| s.1).max()?;
    let busiest = busy.values_mut().map(|list| union(list)).max()?;
    (busiest > 0).then(|| (end - start) as f64 / busiest as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(lane: &'static str, phase: &'static str, kind: Kind, start: u64, end: u64) -> Span {
        Span { lane, phase, kind, part: None, start: start * 1_000_000, end: end * 1_000_000, attrs: vec![] }
    }

    fn report(wall: u64, spans: Vec<Span>) -> Report {
        Report::new("job", "circuit", Status::Ok, 0, wall * 1_000_000, spans)
    }

    #[test]
    fn a_join_owns_nothing() {
        let r = report(100, vec![span("caller", "join", Kind::Join, 0, 100), span("main", "ntt", Kind::Work, 10, 70)]);
        assert_eq!(r.unaccounted_us, 40_000);
    }

    #[test]
    fn a_wait_for_a_lock_is_owned() {
        let r = report(100, vec![span("caller", "lock", Kind::Wait, 0, 30), span("caller", "x", Kind::Work, 30, 100)]);
        assert_eq!(r.unaccounted_us, 0);
        assert_eq!(r.phase_us("lock"), 30_000);
    }

    #[test]
    fn a_gap_beside_a_busy_lane_shows_on_its_lane_and_path() {
        let spans =
            vec![span("main", "ntt", Kind::Work, 0, 20), span("main", "msm", Kind::Work, 60, 100), span("b", "b_g2", Kind::Work, 0, 50)];
        let r = report(100, spans);
        assert_eq!(r.unaccounted_us, 10_000);
        assert_eq!(r.lanes.iter().find(|l| l.lane == "main").unwrap().gap_us, 40_000);
        let path: Vec<_> = r.critical_path.iter().map(|s| (s.phase, s.us)).collect();
        assert_eq!(path, [("b_g2", 50_000), ("unaccounted", 10_000), ("msm", 40_000)]);
    }

    #[test]
    fn overlap_is_wall_over_the_busiest_lane() {
        let r = report(100, vec![span("main", "m", Kind::Work, 0, 60), span("b", "b_g2", Kind::Work, 60, 100)]);
        assert!((r.overlap.unwrap() - 100.0 / 60.0).abs() < 1e-9);
    }
}
