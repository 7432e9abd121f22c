import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { useHost } from "../../ipc/client";
import VisitPicture from "./VisitPicture.svelte";

test("the picture of a point is fetched by the program once the person agreed to its host, and shown with its origin", async () => {
  const asked: unknown[] = [];
  useHost({
    call: async (command, payload) => {
      asked.push([command, payload]);
      return { data_url: "data:image/png;base64,AAAA" };
    },
    watch: () => () => {},
    save: () => Promise.resolve(null),
    openLink: () => {},
  });
  const picture = (url: string) => ({ run: "r", seq: 7, url, name: "The bridge", origin: "A library" });
  const { rerender } = render(VisitPicture, picture("https://pictures.example/a.webp"));
  const button = screen.getByRole("button", { name: /pictures\.example/ });
  expect(asked).toEqual([]);
  await fireEvent.click(button);
  const image = await screen.findByRole("img", { name: "Picture of The bridge" });
  expect(image.getAttribute("src")).toBe("data:image/png;base64,AAAA");
  expect(screen.getByText("A library")).toBeTruthy();
  expect(asked).toEqual([["fetch_image", { run: "r", seq: 7, url: "https://pictures.example/a.webp" }]]);

  // Another host is asked about anew.
  await rerender(picture("https://elsewhere.example/b.webp"));
  expect(screen.getByRole("button", { name: /elsewhere\.example/ })).toBeTruthy();
  expect(asked).toHaveLength(1);
});
