// The map of MapLibre: its ground, the way on it, and the places as numbers that can be pressed. What it fetches
// comes over the border of the program.
import {
  addProtocol,
  Map as GlMap,
  Marker,
  ScaleControl,
  setWorkerUrl,
  type GeoJSONSource,
  type LngLatBoundsLike,
  type StyleSpecification,
} from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import worker from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { t } from "../../i18n";
import { phraseText } from "../../i18n/phrase";
import { call } from "../../ipc/client";
import { toApiError } from "../../ipc/errors";
import type { boundsOf, linesOf } from "./map-overlay";
import { PROTOCOL } from "./map-style";

const WAY = "way";
/** Where all of them are one spot, no nearer than this. */
const NEAREST = 16;
/** Room around what has to be seen, in pixels; at the right stand buttons. */
const ROOM = 36;
const FIT = { padding: { top: ROOM, bottom: ROOM, left: ROOM, right: 60 }, maxZoom: NEAREST };

setWorkerUrl(worker);
addProtocol(PROTOCOL, async ({ url }) => {
  const [z = 0, x = 0, y = 0] = url.split("/").slice(-3).map(Number);
  try {
    const { data } = await call("read_map_tile", { z, x, y });
    return { data: bytesOf(data ?? "").buffer };
  } catch (thrown) {
    throw new Error(phraseText(toApiError(thrown).phrase));
  }
});

/** Bytes that stand in base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export type Pin = { element: HTMLElement; spot: [longitude: number, latitude: number] };
type Lines = ReturnType<typeof linesOf>;
type Bounds = ReturnType<typeof boundsOf>;

export class TileMap {
  readonly #map: GlMap;
  #pins: Marker[] = [];
  #lines: Lines | null = null;
  #colour = "";

  constructor(container: HTMLElement, label: string, style: StyleSpecification, bounds: Bounds) {
    this.#map = new GlMap({
      container,
      style,
      ...(bounds ? { bounds: bounds as LngLatBoundsLike, fitBoundsOptions: FIT } : {}),
      attributionControl: false,
      fadeDuration: 0,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      // The panel around it scrolls by the wheel alone.
      cooperativeGestures: true,
      locale: {
        "Map.Title": label,
        "ScaleControl.Meters": t("visit.metres", { n: "" }).trim(),
        "ScaleControl.Kilometers": t("visit.km", { km: "" }).trim(),
        "CooperativeGesturesHandler.WindowsHelpText": t("map.wheel", { key: "Ctrl" }),
        "CooperativeGesturesHandler.MacHelpText": t("map.wheel", { key: "⌘" }),
        "CooperativeGesturesHandler.MobileHelpText": t("map.fingers"),
      },
    });
    this.#map.touchZoomRotate.disableRotation();
    this.#map.keyboard.disableRotation();
    this.#map.addControl(new ScaleControl({ maxWidth: 80 }), "bottom-left");
    this.#map.on("style.load", () => this.#drawLines());
  }

  /**
   * Tells when all that is wanted is there, when more of it is coming, and what could not be brought; and every move.
   */
  watch({
    onIdle,
    onBusy,
    onError,
    onMove,
  }: {
    onIdle: () => void;
    onBusy: () => void;
    onError: (says: string) => void;
    onMove: () => void;
  }): void {
    this.#map.on("idle", onIdle);
    this.#map.on("dataloading", onBusy);
    this.#map.on("movestart", onBusy);
    this.#map.on("move", onMove);
    this.#map.on("error", ({ error }) => onError(error.message));
  }

  /** Another ground under the same places. */
  setGround(style: StyleSpecification): void {
    this.#map.setStyle(style, { diff: false });
  }

  setLines(lines: Lines, colour: string): void {
    [this.#lines, this.#colour] = [lines, colour];
    // A ground that is still being read has them drawn when it is there.
    this.#map.getSource<GeoJSONSource>(WAY)?.setData(lines);
  }

  #drawLines(): void {
    if (this.#lines === null) return;
    this.#map.addSource(WAY, { type: "geojson", data: this.#lines });
    const paint = { "line-color": this.#colour, "line-width": 3 };
    const layout = { "line-join": "round", "line-cap": "round" } as const;
    this.#map.addLayer({
      id: "known way",
      type: "line",
      source: WAY,
      filter: ["!", ["get", "isEstimate"]],
      layout,
      paint,
    });
    this.#map.addLayer({
      id: "estimate",
      type: "line",
      source: WAY,
      filter: ["get", "isEstimate"],
      paint: { ...paint, "line-dasharray": [2, 1.5] },
    });
  }

  setPins(pins: readonly Pin[]): void {
    for (const pin of this.#pins) pin.remove();
    this.#pins = pins.map(({ element, spot }) => new Marker({ element }).setLngLat(spot).addTo(this.#map));
  }

  /** Shows all of it. */
  fit(bounds: Bounds): void {
    if (bounds) this.#map.fitBounds(bounds, { ...FIT, duration: 300 });
  }

  zoomBy(steps: 1 | -1): void {
    this.#map.zoomTo(this.#map.getZoom() + steps, { duration: 200 });
  }

  /** Brings a spot into sight, where it is not. */
  reveal(spot: Pin["spot"]): void {
    const { x, y } = this.at(spot);
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const isSeen = x > ROOM / 2 && y > ROOM / 2 && x < width - ROOM / 2 && y < height - ROOM / 2;
    if (!isSeen) this.#map.easeTo({ center: spot, duration: 300 });
  }

  /** Where a spot stands, in pixels from the upper left. */
  at(spot: Pin["spot"]): { x: number; y: number } {
    return this.#map.project(spot);
  }

  remove(): void {
    this.#map.remove();
  }
}
