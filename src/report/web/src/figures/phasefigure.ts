/** One column against another: phase portraits and projections. */

import type { Column } from "../run/data.ts";
import { el } from "../page/dom.ts";
import { type Curve, PlaneFigure } from "./planefigure.ts";
import type { TimeWindow } from "./timefigure.ts";

const ROLE_TITLES: [Column["role"], string][] = [
  ["base", "Base"],
  ["fibre", "Fibre"],
  ["action", "Action"],
  ["multiplier", "Multipliers"],
  ["energy", "Energy"],
  ["factor", "Integrating factor"],
  ["momentum", "Momenta"],
  ["invariant", "Invariants"],
  ["observable", "Observables"],
  ["time", "Time"],
];

export class PhaseFigure extends PlaneFigure {
  private readonly equal: HTMLInputElement;

  constructor(
    private readonly columns: Column[],
    private pair: [Column, Column],
    time: Column | undefined,
    window: TimeWindow,
    apart: readonly boolean[] | undefined = undefined,
  ) {
    super("phase", "Phase space", "Any two columns against each other. Open circle: start; filled circle: end. Zooming in time elsewhere brings out that part.", time, window, apart);
    this.equal = el("input", { type: "checkbox", id: "phase-equal" });
    this.equal.checked = pair.every(({ role }) => role === "base");
    this.equal.addEventListener("change", () => this.change());
    this.controls.append(
      this.choice("Horizontal", 0),
      this.choice("Vertical", 1),
      el("label", { class: "check", for: "phase-equal" }, this.equal, "Equal scales"),
    );
  }

  private choice(label: string, axis: 0 | 1): HTMLElement {
    const id = `phase-${axis === 0 ? "x" : "y"}`;
    const select = el("select", { id });
    for (const [role, title] of ROLE_TITLES) {
      const group = this.columns.filter((column) => column.role === role);
      if (group.length === 0) continue;
      const options = group.map((column) => {
        const option = el("option", { value: this.columns.indexOf(column) }, column.name);
        option.selected = column === this.pair[axis];
        return option;
      });
      select.append(el("optgroup", { label: title }, ...options));
    }
    select.addEventListener("change", () => {
      this.pair[axis] = this.columns[Number(select.value)] as Column;
      if (!this.pair.every(({ role }) => role === "base")) this.equal.checked = false;
      this.change();
    });
    return el("label", { class: "choice", for: id }, el("span", {}, label), select);
  }

  /** Other columns have other ranges. */
  private change(): void {
    this.reset();
    this.redraw();
    this.describe();
  }

  protected curves(): Curve[] {
    return [{ name: "whole run", x: this.pair[0], y: this.pair[1], color: 0, shown: true }];
  }

  protected axisTitles(): [string, string] {
    return [this.pair[0].name, this.pair[1].name];
  }

  protected equalScales(): boolean {
    return this.equal.checked;
  }
}
