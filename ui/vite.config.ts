// How the page is built and tested. Nothing here knows the host: window and bridge are served the same files.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  // Relative addresses hold under the window's own scheme and under the bridge's.
  base: "./",
  // The map's worker is a module.
  worker: { format: "es" },
  server: { port: 5173, strictPort: true },
  build: {
    // The oldest WebKitGTK of the systems we build for.
    target: "safari15",
    // A polyfill and inlined files would need what the content policy forbids.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
  },
  // Component tests mount in a document; Svelte's server build, which Vitest would pick, cannot.
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.ts"],
    setupFiles: ["src/patience.ts"],
    testTimeout: 120_000,
    // Starting workers beside a build has taken longer than they are waited for.
    maxWorkers: 1,
    pool: "threads",
  },
}));
