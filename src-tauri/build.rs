//! Resolves the window's permissions at build time. Nothing is generated into the source tree from here: the page's
//! types come from a test in `desk`.

fn main() {
    // tauri-build watches neither of these when the capabilities have a path of their own.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    // The page is compiled into the binary, so a new page means a new binary. Cargo takes a path that does not exist
    // for one that always changes, hence only when the page is asked for.
    if std::env::var_os("CARGO_FEATURE_CUSTOM_PROTOCOL").is_some() {
        println!("cargo:rerun-if-changed=ui/dist");
    }

    // What is shipped with the window; `scripts/prepare` brings it. Without it the program goes on by the system's fonts and
    // by the words of articles.
    for folder in ["fonts", "embedding"] {
        if let Err(error) = std::fs::create_dir_all(folder) {
            println!("cargo:warning=the folder `{folder}` cannot be made: {error}");
        }
    }

    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("src-tauri/capabilities/*.json")
        // Naming the commands makes the permission system answer for them instead of letting every window call them.
        .app_manifest(tauri_build::AppManifest::new().commands(&["rpc", "watch"]));
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo:warning={error:#}");
        std::process::exit(1);
    }
}
