"""A window of which files can be dragged away, as from a file manager: their paths are the arguments."""

import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk

paths = [pathlib.Path(argument).resolve().as_uri() for argument in sys.argv[1:]]
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(80, 80)
window.add(Gtk.Label(label="files"))
window.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
window.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
window.drag_source_add_uri_targets()
window.connect("drag-data-get", lambda _window, _context, data, _info, _time: data.set_uris(paths))
window.connect("map-event", lambda *_: print("ready", flush=True))
window.show_all()
window.move(0, 0)
Gtk.main()
