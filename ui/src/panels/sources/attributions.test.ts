import { cleanup, configure, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import { useHost } from "../../ipc/client";
import { fakeHost } from "../../fake-host/fake";
import { attributionsOf } from "./attribution";
import Attributions from "./Attributions.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
afterEach(cleanup);

test("what a service wants shown stands in a frame that runs nothing, and its links ask before they open", async () => {
  const opened: string[] = [];
  useHost({ ...fakeHost(), openLink: (url) => void opened.push(url) });
  const shown = '<style>a{color:red}</style><a href="https://search.example/?q=margins">margins</a><a>no</a>';
  const html =
    '<link rel="preconnect" href="https://spy.example"><style>a{color:red}</style><a href="https://search.example/?q=margins" ping="https://spy.example">margins</a><a href="javascript:alert(1)">no</a><script>parent.x = 1</script><meta http-equiv="refresh" content="0;url=https://spy.example"><base href="https://spy.example"><link rel="dns-prefetch" href="//spy.example">';
  const value = {
    attributions: [
      {
        provider: "Hound",
        html,
        queries: ["margins", 7],
        links: [{ link: "https://hound.example/r/1", url: "https://page.example/" }, { link: "data:text/html,x" }],
      },
      3,
    ],
  };
  render(Attributions, { attributions: attributionsOf(value) });
  const frame = screen.getByTitle("Suggestions from Hound");
  expect([frame.getAttribute("sandbox"), frame.getAttribute("srcdoc")]).toEqual([
    "",
    `<meta http-equiv="x-dns-prefetch-control" content="off">${shown}`,
  ]);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["margins", "https://page.example/"]);
  await fireEvent.click(screen.getByRole("button", { name: "https://page.example/" }));
  expect(opened).toEqual([]);
  await screen.findByText("https://hound.example/r/1");
  await fireEvent.click(screen.getByRole("button", { name: "Open in the browser" }));
  expect(opened).toEqual(["https://hound.example/r/1"]);
});
