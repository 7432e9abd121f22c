// A group of controls with one Tab stop: arrows, Home and End move the focus inside of it.

type Options = {
  /** The controls, as a selector. */
  items: string;
  /** Other controls of the group, which Tab passes over: the pointer and a key of their own reach them. */
  skipped?: string;
  /** The control that Tab stops at until another one had the focus; the first where none matches. */
  preferred?: string;
  /** Only up and down move, because left and right mean something else here. */
  isVertical?: boolean;
  /** Called after a key moved the focus. */
  onMove?: (to: HTMLElement, event: KeyboardEvent) => void;
  /** Called for an arrow before the first control. */
  onLeave?: () => void;
};

/** Makes an element such a group. The control that had the focus last keeps the Tab stop while it is there. */
export function roving({
  items,
  skipped,
  preferred,
  isVertical = false,
  onMove,
  onLeave,
}: Options): (group: HTMLElement) => () => void {
  return (group) => {
    /** The control that had the focus last. */
    let visited: HTMLElement | undefined;
    const all = () => [...group.querySelectorAll<HTMLElement>(items)];

    function settle() {
      const found = all();
      const current =
        found.find((item) => item === visited) ??
        (preferred ? found.find((item) => item.matches(preferred)) : undefined) ??
        found[0];
      for (const item of found) item.tabIndex = item === current ? 0 : -1;
      if (skipped) for (const item of group.querySelectorAll<HTMLElement>(skipped)) item.tabIndex = -1;
    }

    function focused({ target }: FocusEvent) {
      if (!(target instanceof HTMLElement) || !target.matches(items)) return;
      visited = target;
      settle();
    }

    function pressed(event: KeyboardEvent) {
      const found = all();
      const index = found.findIndex((item) => item === event.target);
      if (index < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -index, End: found.length - 1 - index };
      if (!isVertical) Object.assign(steps, { ArrowRight: 1, ArrowLeft: -1 });
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const to = found[index + step];
      if (!to) return index === 0 ? onLeave?.() : undefined;
      to.focus();
      onMove?.(to, event);
    }

    // Rows come and go, and a row that is drawn anew has lost its place in the order of Tab.
    const watching = new MutationObserver(settle);
    watching.observe(group, { childList: true, subtree: true, attributeFilter: ["aria-current"] });
    group.addEventListener("focusin", focused);
    group.addEventListener("keydown", pressed);
    settle();
    return () => {
      watching.disconnect();
      group.removeEventListener("focusin", focused);
      group.removeEventListener("keydown", pressed);
    };
  };
}
