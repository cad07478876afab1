//! Spans as a Chrome trace: opens in Perfetto and chrome://tracing.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::{Kind, Report};

/// Writes the whole trace of one or several reports as a JSON array. Lanes become threads, circuits an argument.
///
/// # Errors
/// Those of the writer.
pub fn write_trace(reports: &[&Report], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "[\n{}\n]", events(reports).join(",\n"))
}

/// Appends a report to a trace file. The closing bracket is left out, which both viewers accept: more may come.
///
/// # Errors
/// Those of the file.
pub fn append_trace(report: &Report, path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let begin = if file.metadata()?.len() == 0 { "[\n" } else { ",\n" };
    // One write, so that two processes do not mix their lines.
    file.write_all(format!("{begin}{}", events(&[report]).join(",\n")).as_bytes())
}

fn events(reports: &[&Report]) -> Vec<String> {
    let mut lanes: Vec<&'static str> = Vec::new();
    let mut events = Vec::new();
    for report in reports {
        for span in &report.spans {
            let tid = lanes.iter().position(|l| *l == span.lane).unwrap_or_else(|| {
                lanes.push(span.lane);
                lanes.len() - 1
            });
            let mut args = serde_json::Map::new();
            args.insert("job".into(), report.job.clone().into());
            if let Some(part) = span.part {
                args.insert("part".into(), part.into());
            }
            args.extend(span.attrs.iter().map(|(k, v)| ((*k).to_owned(), (*v).into())));
            let category = match span.kind {
                Kind::Work => "work",
                Kind::Wait => "wait",
                Kind::Join => "join",
            };
            events.push(serde_json::json!({
                "name": span.phase, "cat": category, "ph": "X", "pid": 1, "tid": tid + 1,
                "ts": report.began_unix_us as f64 + span.start as f64 / 1e3, "dur": (span.end - span.start) as f64 / 1e3,
                "args": args,
            }));
        }
    }
    let name =
        |tid: usize, lane: &str| serde_json::json!({"name": "thread_name", "ph": "M", "pid": 1, "tid": tid + 1, "args": {"name": lane}});
    let names: Vec<_> = lanes.iter().enumerate().map(|(i, lane)| name(i, lane)).collect();
    names.iter().chain(&events).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use crate::timing::{Recorder, CALLER};

    #[test]
    fn a_trace_is_json_with_named_lanes() {
        let scope = Recorder::start("j", "circuit");
        drop(scope.for_part(3).work(CALLER, "parse").attr("bytes", 7));
        let mut out = Vec::new();
        super::write_trace(&[&scope.report(crate::Status::Ok)], &mut out).unwrap();
        let events: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();
        assert_eq!(events[0]["args"]["name"], "caller");
        assert_eq!(events[1]["name"], "parse");
        assert_eq!(events[1]["args"]["bytes"], 7);
        assert_eq!(events[1]["args"]["part"], 3);
    }
}
