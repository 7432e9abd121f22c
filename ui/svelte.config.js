// For svelte-check and the editor as well as for Vite; runes everywhere, so that old syntax cannot slip in.
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
};
