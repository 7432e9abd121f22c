// Where a key may have left traces: what the program sent to the page, and the files it keeps. And what counts as one.
// @ts-check
import { readdir, readFile } from "node:fs/promises";
import { createServer, request as ask } from "node:http";
import { join } from "node:path";
import { listening } from "./place.mjs";

/** So many characters of a key in a row are a trace of it. */
const TELLING = 8;

/**
 * Stands between the browser and the bridge and keeps every byte that the page is sent: pages, answers, watched items.
 * @param {import("./place.mjs").Place} at
 * @param {string} url the bridge's address
 * @returns {Promise<{ url: string, received(): Buffer }>} the address to open instead
 */
export async function recorded(at, url) {
  const bridge = new URL(url);
  /** @type {Buffer[]} */
  const kept = [];
  const server = createServer((incoming, outgoing) => {
    const onward = ask({
      host: bridge.hostname,
      port: bridge.port,
      path: incoming.url,
      method: incoming.method,
      headers: incoming.headers,
    });
    onward.on("response", (answer) => {
      kept.push(Buffer.from(answer.rawHeaders.join("\n")));
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.on("data", (part) => {
        kept.push(part);
        outgoing.write(part);
      });
      answer.on("close", () => outgoing.end());
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  const port = await listening(at, server);
  const front = new URL(url);
  front.port = String(port);
  return { url: front.href, received: () => Buffer.concat(kept) };
}

/**
 * Every file below a folder. Galley may still be at work in it: what it removed since the listing (a part of its weekly
 * copy, say) is left out.
 * @param {string} folder
 * @returns {Promise<Map<string, Buffer>>} its bytes by its path
 */
export async function files(folder) {
  const found = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const bytes = await readFile(path).catch((error) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (bytes) found.set(path, bytes);
  }
  return found;
}

/**
 * What of a key stands in a text: any eight characters of it in a row, plain, in capitals, or encoded for an address
 * or a
 * header.
 * @param {Buffer | string} text
 * @param {string} key
 * @returns {string | null}
 */
export function traceOf(text, key) {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  // Base64 begins anew every three bytes: of three beginnings one is where the key stands.
  const encoded = [0, 1, 2].map((before) =>
    Buffer.from("-".repeat(before) + key)
      .toString("base64")
      .slice(4, -4),
  );
  for (const form of [key, key.toUpperCase(), encodeURIComponent(key), ...encoded]) {
    for (let start = 0; start + TELLING <= form.length; start++) {
      const part = form.slice(start, start + TELLING);
      if (bytes.includes(part)) return part;
    }
  }
  return null;
}
