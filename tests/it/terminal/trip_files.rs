//! Files of a visit made by a tool, in a pipeline of the person's own: they are those that exports make.

use super::galley::Galley;

const VISIT_FILES: &str = include_str!("../../../docs/pipelines/visit-files.toml");

#[test]
fn a_pipeline_of_ones_own_makes_the_map_and_the_booklet_of_an_earlier_visit() {
    let galley = Galley::new();
    galley.file("data/pipelines/visit-files.toml", VISIT_FILES);
    let demonstration = ["run", "pilgrimage", "--source", "demonstration", "--profile", "built-in", "--json"];
    let visit = galley.run(demonstration.into_iter().chain(["--input", "date=2026-12-05"])).ok().result();
    let visit_run = visit["run"].as_str().unwrap();
    let visit_input = format!("visit={visit_run}");
    let made = galley.run(["run", "visit-files", "--profile", "built-in", "--json", "--input", &visit_input]);
    let made = made.ok().result();

    let folder = galley.data().join("runs").join(made["run"].as_str().unwrap()).join("files");
    assert_eq!(made["state"]["map"]["path"], "visit/map.html");
    let map = std::fs::read_to_string(folder.join("visit/map.html")).unwrap();
    let exported = galley.run(["export", visit_run, "--format", "map"]).ok().out;
    assert_eq!(map.trim_end(), exported.trim_end());
    let session = visit["state"]["session_id"].as_str().unwrap();
    assert_eq!(made["state"]["booklet"]["path"], format!("{session}.booklet.pdf"));
    let booklet = std::fs::read(folder.join(format!("{session}.booklet.pdf"))).unwrap();
    assert!(
        booklet.starts_with(b"%PDF-")
            && booklet.len() as u64 == made["state"]["booklet"]["bytes"].as_u64().unwrap()
    );
    galley.run(["replay", made["run"].as_str().unwrap()]).ok();

    // An input that names a run may have another name, and takes what fits its own keys only.
    let renamed = VISIT_FILES.replace("kind = \"run\"", "kind = \"run\"\naliases = [\"trip\"]");
    galley.file("data/pipelines/visit-files.toml", &renamed);
    let by_alias = format!("trip={visit_run}");
    galley.run(["run", "visit-files", "--profile", "built-in", "--json", "--input", &by_alias]).ok();
    let of_text =
        renamed.replace("title = \"Whole session\"", "title = \"Session\"\nschema = { type = \"string\" }");
    galley.file("data/pipelines/visit-files.toml", &of_text);
    let refused = galley.run(["run", "visit-files", "--profile", "built-in", "--json", "--input", &by_alias]);
    refused.exits(2).says(&["does not fit this pipeline"]);
}

#[test]
fn what_is_no_session_is_refused_in_words() {
    let galley = Galley::new();
    let run_of = "kind = \"run\"\nof_pipeline = \"pilgrimage\"\ntakes = [\"pilgrimage_session\"]\n";
    let without_run = VISIT_FILES
        .replace(run_of, "")
        .replace("[key.pilgrimage_session]\ntitle = \"Whole session\"\n", "")
        .replace("reads = [\"pilgrimage_session\"]\n", "reads = [\"visit\"]\n");
    for (session, told) in [
        ("{ session_id = \"a\" }", "missing field `itinerary`"),
        ("{ itinerary = { title = 3 } }", "give the value of `pilgrimage_session`"),
        ("\"a text\"", "/session"),
    ] {
        let pipeline = without_run.replace("\"{{ pilgrimage_session }}\"", session);
        galley.file("data/pipelines/visit-files.toml", &pipeline);
        let failed =
            galley.run(["run", "visit-files", "--profile", "built-in", "--json", "--input", "visit=x"]);
        let said = format!("{}{}", failed.out, failed.err);
        assert!(failed.code != Some(0) && said.contains(told), "{told}: {said}");
    }
}

#[test]
fn a_path_that_leads_out_of_the_folder_of_the_run_writes_nothing() {
    let galley = Galley::new();
    let away = VISIT_FILES.replace("visit/map.html", "../../map.html");
    galley.file("data/pipelines/visit-files.toml", &away);
    let demonstration = ["run", "pilgrimage", "--source", "demonstration", "--profile", "built-in", "--json"];
    let visit = galley.run(demonstration).ok().result();
    let visit = format!("visit={}", visit["run"].as_str().unwrap());
    let failed = galley.run(["run", "visit-files", "--profile", "built-in", "--json", "--input", &visit]);
    let said = format!("{}{}", failed.out, failed.err);
    assert!(failed.code != Some(0) && said.contains("/path"), "{said}");
    assert!(!galley.data().join("runs/map.html").exists() && !galley.data().join("map.html").exists());
}
