/** Buttons that show and hide the lines of a plot. */

import { el } from "./dom.ts";
import { DASHES } from "./theme.ts";

export interface ChipLine {
  name: string;
  color: number;
  dash: number;
}

/** Fills `controls` with one button per line; `changed` hears of each line that is shown or hidden. */
export function addChips(
  controls: HTMLElement,
  title: string,
  lines: readonly ChipLine[],
  shown: boolean[],
  changed: (i: number, shown: boolean) => void,
): void {
  const set = (chip: HTMLButtonElement, i: number, on: boolean) => {
    if (shown[i] === on) return;
    shown[i] = on;
    chip.setAttribute("aria-pressed", String(on));
    changed(i, on);
  };
  const chips = lines.map(({ name, color, dash }, i) => {
    const swatch = el("span", { class: "swatch", "aria-hidden": "true", "data-color": color, "data-dash": dash % DASHES.length });
    const chip = el("button", { type: "button", class: "chip", "aria-pressed": String(shown[i]) }, swatch, name);
    chip.addEventListener("click", () => set(chip, i, !shown[i]));
    return chip;
  });
  const all = (on: boolean) => () => chips.forEach((chip, i) => set(chip, i, on));
  controls.classList.add("chips");
  controls.setAttribute("role", "group");
  controls.setAttribute("aria-label", `Lines of ${title}`);
  controls.append(...chips);
  if (chips.length > 3) {
    controls.append(
      el("button", { type: "button", class: "tool", click: all(true) }, "All"),
      el("button", { type: "button", class: "tool", click: all(false) }, "None"),
    );
  }
}
