//! Elements of XML.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// An XML document that is being written. Writing to memory cannot fail.
pub(crate) struct Xml(Writer<Vec<u8>>);

impl Xml {
    /// A document with this root element.
    pub(crate) fn of(name: &str, attributes: &[(&str, &str)], within: impl FnOnce(&mut Xml)) -> String {
        let mut xml = Xml(Writer::new_with_indent(Vec::new(), b' ', 1));
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml.element(name, attributes, within);
        let mut text = String::from_utf8_lossy(&xml.0.into_inner()).into_owned();
        text.push('\n');
        text
    }

    /// Writes an element with child elements.
    pub(crate) fn element(&mut self, name: &str, attributes: &[(&str, &str)], within: impl FnOnce(&mut Xml)) {
        self.write(Event::Start(BytesStart::new(name).with_attributes(attributes.iter().copied())));
        within(self);
        self.write(Event::End(BytesEnd::new(name)));
    }

    /// Writes an element with a text; nothing if the text is empty.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        // XML cannot contain control characters, not even escaped.
        let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
        self.write(Event::Start(BytesStart::new(name)));
        self.write(Event::Text(BytesText::new(&text)));
        self.write(Event::End(BytesEnd::new(name)));
    }

    fn write(&mut self, event: Event<'_>) {
        let _ = self.0.write_event(event);
    }
}
