//! Sub-tasks over a queue: what one `galley run` and so many `galley worker` processes get done, and what each process
//! pays for a sub-task.
//!
//! All of it runs on one machine: the NATS server, the workers, the run, and the server that plays the model in this process.
//! CPU times come from /proc, so only Linux can measure them.

use std::sync::atomic::Ordering;

use clap::Args;
use serde_json::{Value, json};
use testkit::NatsServer;

use crate::measure::round;
use crate::queue_run::{DIRECT, Folders, Programs, QUEUED, RunFigures};

/// What is measured.
#[derive(Args, Clone, Debug)]
pub(crate) struct QueueOptions {
    /// Numbers of worker processes; 0 is the same run without a queue, which is the floor.
    #[arg(long, value_delimiter = ',', default_values_t = [0_u32, 1, 2, 4, 8])]
    workers: Vec<u32>,
    /// Milliseconds until the model answers.
    #[arg(long, value_delimiter = ',', default_values_t = [0_u64, 50, 500])]
    latency_ms: Vec<u64>,
    /// Sub-tasks of a run; a `for_each` takes at most 1000 items.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1000))]
    items: u32,
    /// Sub-tasks that one worker takes at once.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    at_once: u32,
}

/// Measures every number of workers with every latency.
///
/// # Errors
/// In a sentence: a program is missing, a run failed, or a result is wrong or missing.
pub(crate) async fn run(options: &QueueOptions) -> Result<(), String> {
    tokio::select! {
        done = measure_all(options) => done,
        // What was started ends with the future that is dropped.
        () = interrupted() => Err("the measurement was interrupted".to_owned()),
    }
}

async fn measure_all(options: &QueueOptions) -> Result<(), String> {
    let programs = Programs::new()?;
    let mut rows = Vec::new();
    for &latency_ms in &options.latency_ms {
        programs.latency_ms.store(latency_ms, Ordering::SeqCst);
        for &workers in &options.workers {
            let row = measure(&programs, options, workers, latency_ms).await?;
            println!("{}", Value::from(&row));
            rows.push(row);
        }
    }
    println!("\n{}", table(&rows));
    Ok(())
}

#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminated) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! { _ = tokio::signal::ctrl_c() => {}, _ = terminated.recv() => {} }
}

#[cfg(not(unix))]
async fn interrupted() {
    let _ = tokio::signal::ctrl_c().await;
}

/// The figures of one number of workers with one latency.
struct Row {
    workers: u32,
    /// Sub-tasks that can be worked on at once.
    slots: u32,
    latency_ms: u64,
    items: u32,
    /// The run that sends all sub-tasks at once; without a queue, as many as there are slots.
    unbounded: RunFigures,
    cpu: CpuPerSubTask,
    /// The delays of the run that has never more sub-tasks under way than there are slots, sorted.
    delays_ms: Vec<f64>,
    /// Messages that are left of sub-tasks, and dead letters.
    left: (u64, u64),
}

/// CPU time in milliseconds per sub-task.
struct CpuPerSubTask {
    run: f64,
    workers: Vec<f64>,
    nats: f64,
    model: f64,
}

impl CpuPerSubTask {
    fn of_all_workers(&self) -> f64 {
        self.workers.iter().fold(0.0, |sum, worker| sum + worker)
    }

    fn sum(&self) -> f64 {
        self.run + self.of_all_workers() + self.nats + self.model
    }
}

impl Row {
    fn per_second(&self) -> f64 {
        f64::from(self.items) / self.unbounded.took_s
    }

    /// Sub-tasks per second if nothing but the model took time; nothing without latency.
    fn ideal_per_second(&self) -> Option<f64> {
        let waves = self.items.div_ceil(self.slots);
        let seconds = f64::from(waves) * self.latency_ms as f64 / 1000.0;
        (seconds > 0.0).then(|| f64::from(self.items) / seconds)
    }

    /// How many cores all processes together kept busy.
    fn cores(&self) -> f64 {
        self.cpu.sum() * f64::from(self.items) / 1000.0 / self.unbounded.took_s
    }

    fn delay_ms(&self, percent: usize) -> f64 {
        let last = self.delays_ms.len().saturating_sub(1);
        self.delays_ms.get(last * percent / 100).copied().unwrap_or(f64::NAN)
    }
}

impl From<&Row> for Value {
    fn from(row: &Row) -> Value {
        let workers: Vec<f64> = row.cpu.workers.iter().copied().map(round).collect();
        json!({
            "workers": row.workers, "slots": row.slots, "latency_ms": row.latency_ms, "items": row.items,
            "per_second": round(row.per_second()), "ideal_per_second": row.ideal_per_second().map(round),
            "delay_p50_ms": round(row.delay_ms(50)), "delay_p95_ms": round(row.delay_ms(95)),
            "delay_max_ms": round(row.delay_ms(100)), "cores": round(row.cores()),
            "cpu_ms_run": round(row.cpu.run), "cpu_ms_workers": workers, "cpu_ms_nats": round(row.cpu.nats),
            "cpu_ms_model": round(row.cpu.model), "requests": row.unbounded.requests,
            "retries": row.unbounded.retries, "left_in_queue": row.left.0, "dead_letters": row.left.1,
        })
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| Latency | Workers | Sub-tasks/s | Ideal | Delay p50 / p95 | CPU: `galley run` | all workers | nats-server | model | Cores |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let ideal = row.ideal_per_second().map_or("–".to_owned(), |ideal| format!("{ideal:.0}"));
        let workers = if row.workers == 0 { "no queue".to_owned() } else { row.workers.to_string() };
        text += &format!(
            "| {} ms | {workers} | {:.0} | {ideal} | {:.0} / {:.0} ms | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} |\n",
            row.latency_ms,
            row.per_second(),
            row.delay_ms(50),
            row.delay_ms(95),
            row.cpu.run,
            row.cpu.of_all_workers(),
            row.cpu.nats,
            row.cpu.model,
            row.cores()
        );
    }
    text
}

/// Measures one number of workers with one latency, in data folders and with a server of their own.
async fn measure(
    programs: &Programs,
    options: &QueueOptions,
    workers: u32,
    latency_ms: u64,
) -> Result<Row, String> {
    let (items, at_once) = (options.items, options.at_once);
    let most_workers = options.workers.iter().copied().max().unwrap_or_default();
    let slots = at_once * if workers == 0 { most_workers.max(1) } else { workers };
    let folders = Folders::new(programs)?;
    let fixed_cpu_ms = folders.fixed_cpu_ms().await?;
    let server = if workers == 0 { None } else { Some(NatsServer::start(&programs.nats, "").await) };
    let at_work = match &server {
        Some(server) => folders.start_workers(server, workers, at_once).await?,
        None => Vec::new(),
    };
    let (profile, most_at_once) = if workers == 0 { (DIRECT, Some(slots)) } else { (QUEUED, None) };
    // Connections are open and code is loaded before anything counts.
    folders.run(profile, Some(slots), items.min(2 * slots), &[]).await?;
    let mut measured = vec![std::process::id()];
    measured.extend(server.as_ref().map(NatsServer::process));
    measured.extend(at_work.iter().map(|worker| worker.0.id()));
    let unbounded = folders.run(profile, most_at_once, items, &measured).await?;
    let bounded = folders.run(profile, Some(slots), items, &[]).await?;
    let left = if workers == 0 { (0, 0) } else { folders.left_in_queue()? };
    let mut cpu_ms = unbounded.cpu_ms_of.iter().map(|spent| spent / f64::from(items));
    let cpu = CpuPerSubTask {
        run: (unbounded.cpu_ms - fixed_cpu_ms) / f64::from(items),
        model: cpu_ms.next().unwrap_or_default(),
        nats: if workers == 0 { 0.0 } else { cpu_ms.next().unwrap_or_default() },
        workers: cpu_ms.collect(),
    };
    // The first sub-task of each slot waits for the run's connection to the server.
    let first = if items > slots { slots as usize } else { 0 };
    let mut delays_ms: Vec<f64> =
        bounded.took_ms.iter().skip(first).map(|took| took - latency_ms as f64).collect();
    delays_ms.sort_by(f64::total_cmp);
    Ok(Row { workers, slots, latency_ms, items, unbounded, cpu, delays_ms, left })
}
