// Whether this page can draw with WebGL 2, which MapLibre needs.

let known: boolean | null = null;

export function hasWebGl(): boolean {
  if (known !== null) return known;
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    known = context !== null;
    // A page may hold only a few contexts.
    context?.getExtension("WEBGL_lose_context")?.loseContext();
  } catch {
    known = false;
  }
  return known;
}
