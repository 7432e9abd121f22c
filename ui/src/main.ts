// Picks the host, then mounts. Which hosts there are is known here alone.
import { mount } from "svelte";
import "./theme/tokens.css";
import "./theme/base.css";
import App from "./App.svelte";
import { preferences } from "./app/preferences.svelte";
import { t } from "./i18n";
import { useHost } from "./ipc/client";
import type { Host } from "./ipc/host";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app to mount into");

preferences.show();
const host = await pick();
if (host) {
  useHost(host);
  mount(App, { target });
} else {
  target.textContent = t("app.no_host");
  target.style.padding = "2rem";
}

async function pick(): Promise<Host | null> {
  if ("__TAURI_INTERNALS__" in globalThis) return (await import("./ipc/hosts/tauri")).tauriHost();
  const { bridgeHost, bridgeToken } = await import("./ipc/hosts/bridge");
  const token = bridgeToken();
  if (token) return bridgeHost(token);
  // Recordings are for whoever makes the page; a release does not carry them.
  if (import.meta.env.MODE !== "production") return (await import("./fake-host/fake")).fakeHost();
  return null;
}
