// Named by `npm run format`, since the tests in tests/e2e have the same layout and lie outside of this folder.
export default {
  // As wide as markup with its classes, labels and handlers needs; sentences in comments stay narrower.
  printWidth: 160,
  plugins: ["prettier-plugin-svelte"],
  overrides: [{ files: "*.svelte", options: { parser: "svelte" } }],
};
