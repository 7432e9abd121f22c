// Frames of a page as they were drawn: gaps between them while something goes on. What is measured is said in numbers
// only; whether they are good is not judged here.
// @ts-check

/** @typedef {{ frames: number, late: number, longest_ms: number }} Frames `late` are gaps above 20 ms, of 16.7 */

/**
 * Counts the gaps between frames while the page is left alone, or while something is done in every frame.
 * @param {import("playwright/test").Page} page
 * @param {number} ms for how long
 * @returns {Promise<Frames>}
 */
export const watchFrames = (page, ms) =>
  page.evaluate(
    (lasts) =>
      new Promise((done) => {
        const begin = performance.now();
        let [last, frames, late, longest] = [begin, 0, 0, 0];
        const next = () => {
          const now = performance.now();
          if (frames > 0 && now - last > 20) late++;
          if (frames > 0) longest = Math.max(longest, now - last);
          [last, frames] = [now, frames + 1];
          if (now - begin < lasts) requestAnimationFrame(next);
          else done({ frames, late, longest_ms: Math.round(longest * 10) / 10 });
        };
        requestAnimationFrame(next);
      }),
    ms,
  );

/**
 * Drags the slider over the whole run, there and back, by one input a frame.
 * @param {import("playwright/test").Page} page
 * @param {number} ms for how long
 * @returns {Promise<Frames & { moments: number }>} `moments` are the different pictures of the run that were drawn
 */
export async function scrub(page, ms) {
  const moments = page.evaluate(
    (lasts) =>
      new Promise((done) => {
        const slider = /** @type {HTMLInputElement} */ (document.querySelector(".time input[type=range]"));
        const drawn = new Set();
        const begin = performance.now();
        const next = () => {
          const part = (performance.now() - begin) / lasts;
          // A picture is known by what the run has used up to then, and by the sentence of its event.
          drawn.add(
            `${document.querySelector("[aria-label='Used so far']")?.textContent}${document.querySelector(".time .sentence")?.textContent}`,
          );
          if (part >= 1) return done(drawn.size);
          slider.valueAsNumber = Math.round(1 + (Number(slider.max) - 1) * Math.abs(1 - 2 * part));
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    ms,
  );
  const frames = await watchFrames(page, ms);
  return { ...frames, moments: await moments };
}

/**
 * What the page holds after everything that is not held was let go of, in megabytes.
 * @param {import("playwright/test").Page} page
 */
export async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return Math.round(usedSize / 1e5) / 10;
}
