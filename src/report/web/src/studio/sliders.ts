/** A slider and a number for every parameter and start of a run. */

import { el } from "../page/dom.ts";
import type { NamedNumber } from "../run/data.ts";

const STEPS = 400;
/** The fewest sites of an index. */
const FEWEST_SITES = 2;

interface Row {
  element: HTMLElement;
  number: HTMLInputElement;
  slider: HTMLInputElement;
  low: number;
  high: number;
}

/** Around the value of the text: a quantity keeps its sign, and zero moves by one. */
function rangeOf(value: number): [number, number] {
  if (value === 0) return [-1, 1];
  const reach = Math.abs(value);
  return value > 0 ? [0, 2 * reach] : [-2 * reach, 0];
}

const short = (value: number): string => String(Number(value.toPrecision(8)));

export class Sliders {
  readonly element = el("div", { class: "rows" });
  private readonly rows = new Map<string, Row>();
  private names = "";
  private readonly given = new Map<string, number>();
  private whole: ReadonlySet<string> = new Set();

  constructor(
    private readonly title: string,
    private readonly changed: (name: string, value: number | undefined) => void,
  ) {}

  /** Shows values. If the names are the same as before, the sliders stay, and a slider that is held keeps its value. Numbers of sites are whole. */
  show(values: readonly NamedNumber[], changes: Readonly<Record<string, number>>, whole: readonly string[] = []): void {
    this.whole = new Set(whole);
    const names = values.map(({ name }) => name).join(" ");
    if (names !== this.names) {
      this.names = names;
      this.rows.clear();
      this.given.clear();
      for (const { name, value } of values) this.rows.set(name, this.row(name, value));
      this.element.replaceChildren(...(values.length > 0 ? [el("h3", {}, this.title), ...[...this.rows.values()].map(({ element }) => element)] : []));
    }
    for (const { name, value } of values) {
      const row = this.rows.get(name);
      if (!row) continue;
      const changed = name in changes;
      row.element.classList.toggle("changed", changed);
      if (!changed) this.given.set(name, value);
      if (document.activeElement !== row.number && document.activeElement !== row.slider) this.put(row, changes[name] ?? value);
    }
  }

  private put(row: Row, value: number): void {
    row.number.value = short(value);
    if (value < row.low || value > row.high) [row.low, row.high] = rangeOf(value);
    row.slider.value = String(Math.round((STEPS * (value - row.low)) / (row.high - row.low)));
    row.slider.setAttribute("aria-valuetext", short(value));
  }

  private row(name: string, value: number): Row {
    const [low, high] = rangeOf(value);
    const id = `slider-${name.replace(/[^\w]/g, "-")}`;
    const slider = el("input", { type: "range", id, min: 0, max: STEPS, step: 1 });
    const number = el("input", { type: "number", step: "any", "aria-label": `${name}, exact value` });
    const back = el("button", { type: "button", class: "tool back", title: `Back to the value of the model`, "aria-label": `${name}: back to the value of the model` }, "↺");
    const row: Row = { element: el("div", { class: "row" }, el("label", { for: id }, name), slider, number, back), number, slider, low, high };
    slider.addEventListener("input", () => {
      const between = row.low + (Number(slider.value) / STEPS) * (row.high - row.low);
      const chosen = this.whole.has(name) ? Math.max(FEWEST_SITES, Math.round(between)) : between;
      number.value = short(chosen);
      slider.setAttribute("aria-valuetext", short(chosen));
      this.changed(name, Number(number.value));
    });
    number.addEventListener("change", () => {
      const chosen = Number(number.value);
      if (number.value.trim() === "" || !Number.isFinite(chosen)) return this.put(row, this.given.get(name) ?? value);
      this.put(row, chosen);
      this.changed(name, chosen);
    });
    back.addEventListener("click", () => {
      const given = this.given.get(name);
      if (given !== undefined) this.put(row, given);
      this.changed(name, undefined);
    });
    return row;
  }
}
