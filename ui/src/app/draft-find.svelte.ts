// The bar that finds words in the draft of the open run: whether it stands there, and what it was last asked for.
class DraftFind {
  isOpen = $state(false);
  query = $state("");
  /** Counts how often it was asked for: an open bar takes the focus again. */
  asked = $state(0);

  /** Opens the bar; words that are selected are looked for. */
  open(): void {
    const selected = document.getSelection()?.toString().trim() ?? "";
    if (selected !== "" && selected.length <= 200 && !selected.includes("\n")) this.query = selected;
    this.isOpen = true;
    this.asked++;
  }

  close(): void {
    this.isOpen = false;
  }
}

export const draftFind = new DraftFind();
