// Named by `npm run format`, since the tests in tests/e2e have the same layout and lie outside of this folder.
export default {
  // Two files stand beside each other; `tests/it/code_base.rs` holds every line to it, beside the texts in it.
  printWidth: 120,
  plugins: ["prettier-plugin-svelte"],
  overrides: [{ files: "*.svelte", options: { parser: "svelte" } }],
};
