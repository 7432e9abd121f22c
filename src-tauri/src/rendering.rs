//! The renderer of WebKit, which is chosen before WebKit starts, because it reads its variables once.
//!
//! The DMABUF renderer is the faster one, but some drivers leave its window empty or crash. A crash must not be the
//! window's, so a child process tries the graphics stack first.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use gtk::prelude::{GtkWindowExt, WidgetExt};

/// Kernel drivers with which WebKit's DMABUF renderer leaves the window empty.
const FAILING_DRIVERS: [&str; 3] = ["nvidia", "vboxvideo", "vmwgfx"];
/// The kernel's list of graphics devices.
const DEVICES: &str = "/sys/class/drm";
/// How long the child process may take. Mesa needs some 100 ms.
const PROBED_WITHIN: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(5);

/// The argument of the child process.
pub(crate) const PROBE: &str = "--probe-rendering";

/// How WebKit renders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Renderer {
    /// With shared buffers of the graphics card.
    Dmabuf,
    /// With buffers in memory.
    SharedMemory,
    /// Without the graphics card at all, as the person asked.
    Safe,
}

/// The renderer for this machine.
pub(crate) fn choose() -> Renderer {
    let drivers = drivers(Path::new(DEVICES));
    let is_failing = |driver: &String| FAILING_DRIVERS.contains(&driver.as_str());
    if drivers.is_empty() || drivers.iter().any(is_failing) || !probed() {
        return Renderer::SharedMemory;
    }
    Renderer::Dmabuf
}

/// The kernel drivers of the devices that can render.
fn drivers(devices: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(devices).into_iter().flatten().flatten();
    let nodes = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("renderD"));
    let driver = |node: std::fs::DirEntry| {
        let driver = node.path().join("device/driver").canonicalize().ok()?;
        Some(driver.file_name()?.to_string_lossy().into_owned())
    };
    nodes.filter_map(driver).collect()
}

/// Whether a child process can use the graphics card.
fn probed() -> bool {
    let Ok(program) = std::env::current_exe() else { return false };
    let mut command = Command::new(program);
    command.arg(PROBE).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let until = Instant::now() + PROBED_WITHIN;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < until => std::thread::sleep(POLL),
            Ok(None) | Err(_) => {
                let _killed = child.kill().and_then(|()| child.wait());
                return false;
            }
        }
    }
}

/// What the child process does: it makes a context of OpenGL current, which loads and starts the driver.
pub(crate) fn probe() -> ExitCode {
    if gtk::init().is_err() {
        return ExitCode::FAILURE;
    }
    let window = gtk::Window::new(gtk::WindowType::Popup);
    window.set_default_size(1, 1);
    window.realize();
    let context = window.window().map(|window| window.create_gl_context());
    let Some(Ok(context)) = context else { return ExitCode::FAILURE };
    if context.realize().is_err() {
        return ExitCode::FAILURE;
    }
    context.make_current();
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_drivers_are_those_of_the_devices_that_can_render() {
        let folder = tempfile::tempdir().unwrap();
        for (node, driver) in [("card0", "i915"), ("renderD128", "i915"), ("renderD129", "nvidia")] {
            let (device, driver) = (folder.path().join(node).join("device"), folder.path().join(driver));
            std::fs::create_dir_all(&device).unwrap();
            std::fs::create_dir_all(&driver).unwrap();
            symlink(driver, device.join("driver")).unwrap();
        }
        let mut found = drivers(folder.path());
        found.sort();
        assert_eq!(found, ["i915", "nvidia"]);
        assert!(drivers(&folder.path().join("missing")).is_empty());
    }
}
