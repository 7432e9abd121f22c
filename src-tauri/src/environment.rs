//! The environment that GTK and WebKit read once, at their start. Settings of Galley itself are not read here.
//!
//! Setting a variable of a running process is unsafe, as another thread may be reading it. Starting oneself again with
//! the corrected environment is not: `exec` keeps the process, so whoever started the window still holds its id.

#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::Command;

#[cfg(target_os = "linux")]
use crate::Arguments;
#[cfg(target_os = "linux")]
use crate::rendering::{self, Renderer};

/// The variable with the data folder.
#[cfg(target_os = "linux")]
const DATA_FOLDER: &str = "GALLEY_DATA_DIR";

#[cfg(target_os = "linux")]
const FALLBACK_LOCALE: &str = "en_US.UTF-8";

/// The variable by which WebKit is told to do without the DMABUF renderer; "0" lets it decide.
#[cfg(target_os = "linux")]
const WITHOUT_DMABUF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
/// The variable by which WebKit is told to draw without the graphics card.
#[cfg(target_os = "linux")]
const WITHOUT_COMPOSITING: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";

/// Restarts this program if its environment needs correcting. Returns if it does not, or if the restart fails: a window
/// with a wrong locale is better than none.
#[cfg(target_os = "linux")]
pub(crate) fn correct(arguments: &Arguments) {
    use std::os::unix::process::CommandExt;

    let Ok(program) = std::env::current_exe() else { return };
    let variable = |name: &str| std::env::var(name).ok();
    // A value set by the person stays, and so does that of the process before the restart.
    let renderer = match variable(WITHOUT_DMABUF) {
        _ if arguments.safe_rendering => Some(Renderer::Safe),
        Some(_) => None,
        None => Some(rendering::choose()),
    };
    let corrections = corrections(variable, renderer);
    let folder = folder_of_image(&program);
    if corrections.is_empty() && folder.is_none() {
        return;
    }
    let mut command = Command::new(program);
    command.envs(corrections);
    if arguments.safe_rendering {
        command.arg("--safe-rendering");
    }
    // A relative path means the folder that the person started the program in.
    let data = arguments.data_dir.clone().or_else(|| Some(std::env::var_os(DATA_FOLDER)?.into()));
    if let Some(data) = data.and_then(|data: PathBuf| std::path::absolute(data).ok()) {
        command.arg("--data-dir").arg(data);
    }
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let _ = command.exec();
}

/// The folder of an AppImage in which WebKit finds its processes, unless this program is in it already: their path
/// there is relative, because the image is mounted elsewhere at each start.
#[cfg(target_os = "linux")]
fn folder_of_image(program: &Path) -> Option<PathBuf> {
    let folder = Path::new(&std::env::var_os("APPDIR")?).join("usr");
    let is_there = std::env::current_dir().is_ok_and(|current| current == folder);
    (program.starts_with(&folder) && !is_there).then_some(folder)
}

/// Asks GTK, whose start would be Tauri's next step, for a display, because Tauri panics where there is none.
pub(crate) fn require_display() -> Result<(), String> {
    #[cfg(target_os = "linux")]
    gtk::init().map_err(|_| {
        "no display can be opened; start it in a desktop session or under `xvfb-run`, or use `galley`, which needs none"
            .to_owned()
    })?;
    Ok(())
}

/// Whether the page will be dark, by the rule that WebKit follows; the page is not loaded yet. Main thread only, after
/// GTK has started.
#[cfg(target_os = "linux")]
pub(crate) fn prefers_dark() -> bool {
    use gtk::prelude::GtkSettingsExt;

    let is_dark_theme = |name: &str| ["-dark", "-Dark", ":dark"].iter().any(|end| name.ends_with(end));
    if let Ok(name) = std::env::var("GTK_THEME") {
        return is_dark_theme(&name);
    }
    gtk::Settings::default().is_some_and(|settings| {
        settings.is_gtk_application_prefer_dark_theme()
            || settings.gtk_theme_name().is_some_and(|name| is_dark_theme(&name))
    })
}

/// The variables to replace. A corrected environment needs no more corrections, so the program restarts only once.
#[cfg(target_os = "linux")]
fn corrections(
    variable: impl Fn(&str) -> Option<String>,
    renderer: Option<Renderer>,
) -> Vec<(&'static str, &'static str)> {
    let of_renderer: &[_] = match renderer {
        None => &[],
        Some(Renderer::Dmabuf) => &[(WITHOUT_DMABUF, "0")],
        Some(Renderer::SharedMemory) => &[(WITHOUT_DMABUF, "1")],
        Some(Renderer::Safe) => &[(WITHOUT_DMABUF, "1"), (WITHOUT_COMPOSITING, "1")],
    };
    let is_missing = |(name, value): &(&str, &str)| variable(name).as_deref() != Some(value);
    let mut corrections: Vec<_> = of_renderer.iter().copied().filter(is_missing).collect();
    // Without an input method GTK falls back to the X server's for these languages, and WebKit then stops painting. An input
    // method that is set is kept, and a Wayland desktop brings its own.
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if speaks_through_xim(&variable)
        && !["GTK_IM_MODULE", "XMODIFIERS", "WAYLAND_DISPLAY"].into_iter().any(is_set)
    {
        corrections.push(("GTK_IM_MODULE", "gtk-im-context-simple"));
    }
    // WebKit hands the locale to the page as its language, and the page's number and date formats throw on "C".
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        if variable(name).is_some_and(|value| is_no_language(&value)) {
            corrections.push((name, FALLBACK_LOCALE));
        }
    }
    corrections
}

/// Whether the locale is one for which GTK chooses the X server's input method where no other is set.
#[cfg(target_os = "linux")]
fn speaks_through_xim(variable: &impl Fn(&str) -> Option<String>) -> bool {
    let mut locales = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable);
    let locale = locales.find(|value| !value.is_empty()).unwrap_or_default();
    ["ja", "ko", "th", "zh"].into_iter().any(|language| locale.starts_with(language))
}

#[cfg(target_os = "linux")]
fn is_no_language(locale: &str) -> bool {
    let language = locale.split(['.', '@']).next().unwrap_or_default();
    language == "C" || language == "POSIX"
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)], renderer: Option<Renderer>) -> Vec<(&'static str, &'static str)> {
        let variable = |wanted: &str| {
            variables.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned())
        };
        corrections(variable, renderer)
    }

    #[test]
    fn a_locale_without_a_language_is_replaced_wherever_it_stands() {
        let corrected = of(&[("LC_ALL", "C"), ("LC_MESSAGES", "POSIX"), ("LANG", "C.UTF-8")], None);
        assert_eq!(
            corrected,
            [("LC_ALL", FALLBACK_LOCALE), ("LC_MESSAGES", FALLBACK_LOCALE), ("LANG", FALLBACK_LOCALE)]
        );
        assert!(of(&corrected, None).is_empty(), "a corrected environment is left alone");
        assert!(of(&[("LANG", "ca_ES.UTF-8")], None).is_empty(), "a language is kept");
    }

    #[test]
    fn without_an_input_method_east_asian_locales_get_the_simple_one_and_one_that_is_set_is_kept() {
        let simple = [("GTK_IM_MODULE", "gtk-im-context-simple")];
        assert_eq!(of(&[("LANG", "ja_JP.UTF-8")], None), simple);
        let set_elsewhere = [("LANG", "en_US.UTF-8"), ("LC_CTYPE", "zh_CN.UTF-8"), ("XMODIFIERS", "")];
        assert_eq!(of(&set_elsewhere, None), simple);
        for set in [("GTK_IM_MODULE", "ibus"), ("XMODIFIERS", "@im=fcitx"), ("WAYLAND_DISPLAY", "wayland-0")]
        {
            assert_eq!(of(&[("LANG", "ja_JP.UTF-8"), set], None), [], "{set:?}");
        }
        assert_eq!(of(&[("LC_ALL", "fr_FR.UTF-8"), ("LANG", "ja_JP.UTF-8")], None), []);
    }

    #[test]
    fn the_renderer_is_written_down_once_and_safe_rendering_replaces_what_is_set() {
        assert_eq!(of(&[], Some(Renderer::Dmabuf)), [(WITHOUT_DMABUF, "0")]);
        assert_eq!(of(&[], Some(Renderer::SharedMemory)), [(WITHOUT_DMABUF, "1")]);
        let safe = [(WITHOUT_DMABUF, "1"), (WITHOUT_COMPOSITING, "1")];
        assert_eq!(of(&[(WITHOUT_DMABUF, "0")], Some(Renderer::Safe)), safe);
        assert!(of(&safe, Some(Renderer::Safe)).is_empty());
    }
}
