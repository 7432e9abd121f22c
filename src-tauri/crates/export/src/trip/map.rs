//! A self-contained web page with the drawn map and the itinerary: no tiles, no script, no request.

use itinerary::web_address;
use std::fmt::Write;

use super::sheet::{DOT, Entry, Sheet, line};
use super::sketch::{Anchor, Frame, Sketch, sketch};
use super::words::length;
use crate::html::escaped;

/// Forbids loading and running anything, even if active content got into the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const STYLE: &str = include_str!("map.css");
pub(crate) const FRAME: Frame = Frame { width: 960.0, heights: (420.0, 760.0), radius: 14.0, letters: 15.0 };
const HEAD: &str = "<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

/// The drawing of a trip in this frame.
pub(crate) fn drawing(sheet: &Sheet<'_>, frame: Frame) -> Sketch {
    let itinerary = &sheet.plan.itinerary;
    let mut points = vec![(itinerary.start_coordinates, sheet.start.as_str())];
    points.extend(sheet.entries.iter().map(|entry| (entry.visit.coordinates, entry.name.as_str())));
    sketch(&points, itinerary.return_leg.is_some(), frame)
}

/// Writes the trip.
pub(crate) fn write(sheet: &Sheet<'_>) -> String {
    let tag = Some(line(&sheet.plan.language)).filter(|language| !language.is_empty() && language != "zh");
    let mut page = Page { html: String::new(), sheet };
    page.add(&format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n",
        escaped(tag.as_deref().unwrap_or(sheet.words.tag))
    ));
    page.add(HEAD);
    page.add(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    page.add(&format!(
        "<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        escaped(&sheet.title)
    ));
    page.add(&format!("<h1>{}</h1>\n", escaped(&sheet.title)));
    page.facts("facts", &sheet.facts());
    if let Some(weather) = sheet.weather() {
        page.facts("facts", &[(sheet.words.weather, weather)]);
    }
    page.map();
    page.visits();
    let left_out = sheet.left_out.iter().map(|missed| format!("{}{DOT}{}", missed.name, missed.reason));
    page.list(sheet.words.left_out, &left_out.map(|text| escaped(&text)).collect::<Vec<_>>());
    page.list(sheet.words.remarks, &sheet.remarks().iter().map(|text| escaped(text)).collect::<Vec<_>>());
    let from = sheet.attributions();
    page.list(
        sheet.words.attributions,
        &from.iter().map(|(words, address)| linked(words, *address)).collect::<Vec<_>>(),
    );
    page.add("</main>\n</body>\n</html>\n");
    page.html
}

fn linked(words: &str, address: Option<&str>) -> String {
    match address {
        Some(address) => {
            format!("<a rel=\"noopener noreferrer\" href=\"{}\">{}</a>", escaped(address), escaped(words))
        }
        None => escaped(words),
    }
}

struct Page<'s> {
    html: String,
    sheet: &'s Sheet<'s>,
}

impl Page<'_> {
    /// Appends our own markup.
    fn add(&mut self, markup: &str) {
        self.html.push_str(markup);
    }

    fn facts(&mut self, class: &str, facts: &[(&str, String)]) {
        self.add(&format!("<dl class=\"{class}\">\n"));
        for (name, value) in facts {
            self.add(&format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value)));
        }
        self.add("</dl>\n");
    }

    /// Appends a titled list whose entries are markup already.
    fn list(&mut self, title: &str, entries: &[String]) {
        if entries.is_empty() {
            return;
        }
        self.add(&format!("<section>\n<h2>{}</h2>\n<ul>\n", escaped(title)));
        entries.iter().for_each(|entry| self.add(&format!("<li>{entry}</li>\n")));
        self.add("</ul>\n</section>\n");
    }

    fn map(&mut self) {
        let sheet = self.sheet;
        let map = drawing(sheet, FRAME);
        let Sketch { width, height, radius, .. } = map;
        let name = format!("{}{DOT}{}", sheet.words.map, sheet.title);
        self.add("<figure>\n<div class=\"map\">\n");
        self.add(&format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.1}\" role=\"group\" aria-label=\"{}\">\n",
            escaped(&name)
        ));
        let way: Vec<String> = map.way.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(&format!("<polyline class=\"way\" points=\"{}\"/>\n", way.join(" ")));
        for mark in map.marks.iter().filter(|mark| mark.is_aside()) {
            let ((x, y), (to_x, to_y)) = (mark.at, mark.disc);
            self.add(&format!(
                "<path class=\"aside\" d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\"/><circle class=\"spot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>\n"
            ));
        }
        for (index, mark) in map.marks.iter().enumerate() {
            let entry = index.checked_sub(1).and_then(|index| sheet.entries.get(index));
            let (name, arrival) = match entry {
                Some(entry) => (&entry.name, &entry.arrival),
                None => (&sheet.start, &sheet.clock(sheet.plan.itinerary.departure)),
            };
            let (x, y) = mark.disc;
            self.add(&format!(
                "<a id=\"point-{index}\" href=\"#visit-{index}\"><title>{} {arrival}</title>",
                escaped(name)
            ));
            match entry {
                Some(entry) => {
                    let (fill, ink) = (entry.color.css(), entry.color.ink());
                    self.add(&format!(
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\"/><text class=\"number\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{:.1}\" fill=\"{ink}\">{index}</text>",
                        radius * if index > 99 { 0.85 } else { 1.05 }
                    ));
                }
                None => {
                    let (left, top, side) = (x - radius, y - radius, radius * 2.0);
                    self.add(&format!(
                        "<rect class=\"start\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"3\"/><path class=\"flag\" d=\"M{x:.1} {:.1}l{:.1} {:.1}h{:.1}z\"/>",
                        y - radius * 0.55, radius * 0.6, radius * 1.05, radius * -1.2
                    ));
                }
            }
            if let Some(label) = &mark.label {
                let ((x, y), size) = (label.at, FRAME.letters);
                let anchor = match label.anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                self.add(&format!(
                    "<text class=\"label\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\">{}</text>",
                    escaped(&label.text)
                ));
            }
            self.add("</a>\n");
        }
        self.scale(&map);
        self.add("</svg>\n</div>\n");
        self.legend();
        self.add("</figure>\n");
    }

    /// Draws the scale bar and the north arrow.
    fn scale(&mut self, map: &Sketch) {
        let ((x, y), end) = (map.scale_at, map.scale_at.0 + map.scale_length);
        let north = map.width - FRAME.radius * 1.6;
        // Writing into a string cannot fail.
        let _ = writeln!(
            self.html,
            "<path class=\"scale\" d=\"M{x:.1} {:.1}V{y:.1}H{end:.1}V{:.1}\"/><text class=\"note\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            y - 6.0,
            y - 6.0,
            y - 11.0,
            length(map.scale_m)
        );
        let _ = writeln!(
            self.html,
            "<path class=\"north\" d=\"M{north:.1} 10l8 22l-8 -5l-8 5z\"/><text class=\"note middle\" x=\"{north:.1}\" y=\"47\">N</text>"
        );
    }

    fn legend(&mut self) {
        let works = self.sheet.works();
        if works.is_empty() {
            return;
        }
        self.add("<figcaption>");
        for (work, color) in works {
            let color = color.css();
            self.add(&format!("<span><i style=\"background:{color}\"></i>{}</span>\n", escaped(&work)));
        }
        self.add("</figcaption>\n");
    }

    fn visits(&mut self) {
        let (sheet, words) = (self.sheet, self.sheet.words);
        let itinerary = &sheet.plan.itinerary;
        self.add(&format!(
            "<section>\n<h2>{}</h2>\n<p class=\"note\">{}</p>\n<ol class=\"visits\">\n",
            words.itinerary, words.local_time
        ));
        self.add(&format!(
            "<li id=\"visit-0\"><a class=\"disc start\" href=\"#point-0\" aria-label=\"{}\">▲</a><div><h3>{}</h3><p class=\"times\">{} <time>{}</time></p></div></li>\n",
            words.map,
            escaped(&sheet.start),
            words.departure,
            sheet.clock(itinerary.departure)
        ));
        sheet.entries.iter().for_each(|entry| self.visit(entry));
        if let Some(back) = &itinerary.return_leg {
            self.add(&format!(
                "<li><a class=\"disc start\" href=\"#point-0\" aria-label=\"{}\">▲</a><div><h3>{}{DOT}{}</h3><p class=\"times\">{} <time>{}</time></p><p class=\"way\">{}</p></div></li>\n",
                words.map,
                words.way_back,
                escaped(&sheet.start),
                words.arrival,
                sheet.clock(back.arrival),
                escaped(&sheet.way(&back.leg))
            ));
        }
        self.add("</ol>\n</section>\n");
    }

    fn visit(&mut self, entry: &Entry<'_>) {
        let (sheet, words) = (self.sheet, self.sheet.words);
        let position = entry.visit.position;
        let (fill, ink) = (entry.color.css(), entry.color.ink());
        self.add(&format!(
            "<li id=\"visit-{position}\"><a class=\"disc\" href=\"#point-{position}\" style=\"background:{fill};color:{ink}\">{position}</a><div>\n<h3>{}",
            escaped(&entry.name)
        ));
        if let Some(local) = &entry.local_name {
            let language = sheet.local_language().map(|tag| format!(" lang=\"{tag}\"")).unwrap_or_default();
            self.add(&format!(" <span class=\"local\"{language}>{}</span>", escaped(local)));
        }
        self.add(&format!(
            "</h3>\n<p class=\"times\">{} <time>{}</time> – {} <time>{}</time></p>\n<p class=\"way\">{}</p>\n<p class=\"way\">{}</p>\n",
            words.arrival,
            entry.arrival,
            words.departure,
            entry.departure,
            escaped(&entry.way),
            escaped(&entry.pauses)
        ));
        let class = if entry.is_doubtful { "doubtful" } else { "opening" };
        self.add(&format!("<p class=\"{class}\">{}</p>\n", escaped(&entry.opening)));
        let description = line(&entry.details.description);
        if !description.is_empty() {
            self.add(&format!("<p>{}</p>\n", escaped(&description)));
        }
        if !entry.facts.is_empty() {
            self.add("<dl class=\"about\">\n");
            for (name, value) in &entry.facts {
                let is_origin = *name == words.origin;
                let address = web_address(&entry.details.origin_url).filter(|_| is_origin);
                self.add(&format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", linked(value, address)));
            }
            self.add("</dl>\n");
        }
        self.add("</div></li>\n");
    }
}
