//! A report as a table for people.

use std::fmt;

use super::{Kind, Report};

fn seconds(us: u64) -> String {
    format!("{:.3} s", us as f64 / 1e6)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}: {} in {}", self.kind, self.job, self.status, seconds(self.wall_us))?;
        writeln!(f, "  {:<22} {:<10} {:>6} {:>12} {:>12}", "phase", "lane", "spans", "time", "on the path")?;
        for p in self.phases.iter().filter(|p| p.kind != Kind::Join) {
            writeln!(f, "  {:<22} {:<10} {:>6} {:>12} {:>12}", p.phase, p.lane, p.spans, seconds(p.total_us), seconds(p.critical_us))?;
        }
        for lane in &self.lanes {
            let (work, wait, gap) = (seconds(lane.work_us), seconds(lane.wait_us), seconds(lane.gap_us));
            writeln!(f, "  lane {:<17} work {work}, waits {wait}, gaps {gap}", lane.lane)?;
        }
        let steps = self.critical_path.iter().filter(|s| s.us * 1000 >= self.wall_us);
        let path: Vec<String> = steps.map(|s| format!("{} {}", s.phase, seconds(s.us))).collect();
        writeln!(f, "  critical path: {}", path.join(" > "))?;
        if let Some(overlap) = self.overlap {
            writeln!(f, "  overlap: {overlap:.3} (wall of the proving section over its busiest lane)")?;
        }
        let share = 100.0 * self.unaccounted_us as f64 / self.wall_us.max(1) as f64;
        write!(f, "  unaccounted: {} ({share:.2} %)", seconds(self.unaccounted_us))
    }
}
