//! The environment that GTK and WebKit read once, at their start. Settings of Galley itself are not read here.
//!
//! Setting a variable of a running process is unsafe, as another thread may be reading it. Starting oneself again with
//! the corrected environment is not: `exec` keeps the process, so whoever started the window still holds its id.

#[cfg(target_os = "linux")]
const FALLBACK_LOCALE: &str = "en_US.UTF-8";

/// Restarts this program if its environment needs correcting. Returns if it does not, or if the restart fails: a window
/// with a wrong locale is better than none.
pub(crate) fn correct() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;

        let corrections = corrections(|name| std::env::var(name).ok());
        if corrections.is_empty() {
            return;
        }
        if let Ok(program) = std::env::current_exe() {
            let _ = std::process::Command::new(program)
                .args(std::env::args_os().skip(1))
                .envs(corrections)
                .exec();
        }
    }
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
fn corrections(variable: impl Fn(&str) -> Option<String>) -> Vec<(&'static str, &'static str)> {
    let mut corrections = Vec::new();
    // On many graphics stacks WebKit's DMABUF renderer draws an empty window. A value set by the person stays.
    if variable("WEBKIT_DISABLE_DMABUF_RENDERER").is_none() {
        corrections.push(("WEBKIT_DISABLE_DMABUF_RENDERER", "1"));
    }
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

    fn of(variables: &[(&str, &str)]) -> Vec<(&'static str, &'static str)> {
        corrections(|wanted| {
            variables.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_locale_without_a_language_is_replaced_wherever_it_stands() {
        let corrected = of(&[
            ("WEBKIT_DISABLE_DMABUF_RENDERER", "0"),
            ("LC_ALL", "C"),
            ("LC_MESSAGES", "POSIX"),
            ("LANG", "C.UTF-8"),
        ]);
        assert_eq!(
            corrected,
            [("LC_ALL", FALLBACK_LOCALE), ("LC_MESSAGES", FALLBACK_LOCALE), ("LANG", FALLBACK_LOCALE)]
        );
    }

    #[test]
    fn a_corrected_environment_is_left_alone() {
        let corrected = of(&[("WEBKIT_DISABLE_DMABUF_RENDERER", "1"), ("LANG", FALLBACK_LOCALE)]);
        assert!(corrected.is_empty());
    }

    #[test]
    fn without_an_input_method_east_asian_locales_get_the_simple_one_and_one_that_is_set_is_kept() {
        const RENDERER: (&str, &str) = ("WEBKIT_DISABLE_DMABUF_RENDERER", "0");
        let simple = [("GTK_IM_MODULE", "gtk-im-context-simple")];
        assert_eq!(of(&[RENDERER, ("LANG", "ja_JP.UTF-8")]), simple);
        assert_eq!(
            of(&[RENDERER, ("LANG", "en_US.UTF-8"), ("LC_CTYPE", "zh_CN.UTF-8"), ("XMODIFIERS", "")]),
            simple
        );
        for set in [("GTK_IM_MODULE", "ibus"), ("XMODIFIERS", "@im=fcitx"), ("WAYLAND_DISPLAY", "wayland-0")]
        {
            assert_eq!(of(&[RENDERER, ("LANG", "ja_JP.UTF-8"), set]), [], "{set:?}");
        }
        assert_eq!(of(&[RENDERER, ("LC_ALL", "fr_FR.UTF-8"), ("LANG", "ja_JP.UTF-8")]), []);
    }

    #[test]
    fn a_language_and_a_chosen_renderer_are_kept() {
        assert!(of(&[("WEBKIT_DISABLE_DMABUF_RENDERER", "0"), ("LANG", "ca_ES.UTF-8")]).is_empty());
        assert_eq!(of(&[("LANG", "de_DE@euro")]), [("WEBKIT_DISABLE_DMABUF_RENDERER", "1")]);
    }
}
