/** A labelled list to choose from, and a labelled slider. */

import { el } from "./dom.ts";

export function choice(id: string, label: string, options: readonly string[], chosen: number, changed: (index: number) => void): HTMLElement {
  const select = el("select", { id });
  options.forEach((name, i) => {
    const option = el("option", { value: i }, name);
    option.selected = i === chosen;
    select.append(option);
  });
  select.addEventListener("change", () => changed(Number(select.value)));
  return el("label", { class: "choice", for: id }, el("span", {}, label), select);
}

/** A slider over 0, ..., steps - 1 that shows what `text` says of its place. */
export function slider(id: string, steps: number, place: number, text: (index: number) => string, changed: (index: number) => void): HTMLElement {
  const input = el("input", { type: "range", id, min: 0, max: steps - 1, step: 1, value: place });
  const shown = el("output", { for: id }, text(place));
  input.addEventListener("input", () => {
    shown.textContent = text(Number(input.value));
    changed(Number(input.value));
  });
  return el("label", { class: "choice", for: id }, input, shown);
}

export function check(id: string, label: string, changed: (on: boolean) => void): HTMLElement {
  const box = el("input", { type: "checkbox", id });
  box.addEventListener("change", () => changed(box.checked));
  return el("label", { class: "check", for: id }, box, label);
}
