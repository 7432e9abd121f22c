// What the linter looks for in the page and in its tests in the browser. Rules that need types are left out: with them the
// linter takes over a minute, and it takes what comes from a component for `any`; svelte-check knows the types.
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  // Built, taken by tests, or written by the program's tests.
  { ignores: ["**/dist/", "**/out/", "**/ipc/bindings.ts", "**/src/fixtures/"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } } },
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // A leading underscore says that something is named only to be left out.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // TypeScript reports these itself, and counts `??=` as the use that it is.
      "no-unused-private-class-members": "off",
      // Plain maps and sets here are local, replaced whole, or kept from being followed on purpose; the rule cannot tell.
      "svelte/prefer-svelte-reactivity": "off",
      // Svelte drops a space at the beginning of a block unless it stands in braces.
      "svelte/no-useless-mustaches": "off",
    },
  },
);
