// A part that scrolls fades at an edge behind which there is more: scroll bars that lie over a page show only while
// it moves. Where the keyboard is in it, nothing fades (`base.css`): a mask would take the ring of the focus away
// with it.

const DEPTH_PX = 28;

/** Fades a scrolling element at the edges behind which there is more, along the way that it scrolls; an attachment. */
export function fading(box: HTMLElement): () => void {
  function fade() {
    const isSideways = box.scrollHeight <= box.clientHeight && box.scrollWidth > box.clientWidth;
    const [at, room, all] = isSideways
      ? [box.scrollLeft, box.clientWidth, box.scrollWidth]
      : [box.scrollTop, box.clientHeight, box.scrollHeight];
    const [before, after] = [at, all - room - at].map((hidden) => Math.round(Math.min(DEPTH_PX, Math.max(0, hidden))));
    box.style.setProperty(
      "--fade",
      before || after
        ? `linear-gradient(to ${isSideways ? "right" : "bottom"}, transparent, #000 ${before}px, #000 calc(100% - ${after}px), transparent)`
        : "none",
    );
  }
  // What it holds may grow, or become more, without the element itself.
  const sizes = new ResizeObserver(fade);
  const parts = new MutationObserver(watch);
  function watch() {
    for (const part of [box, ...box.children]) sizes.observe(part);
  }
  box.dataset["fading"] = "";
  watch();
  parts.observe(box, { childList: true });
  box.addEventListener("scroll", fade, { passive: true });
  return () => {
    sizes.disconnect();
    parts.disconnect();
    box.removeEventListener("scroll", fade);
  };
}
