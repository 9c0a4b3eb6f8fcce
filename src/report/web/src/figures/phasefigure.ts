/** One column against another: phase portraits and projections. */

import type { Data } from "plotly.js-basic-dist-min";
import { check } from "../page/choice.ts";
import { theme } from "../page/theme.ts";
import { type Column, type RunEvent, finiteOrGap } from "../run/data.ts";
import { EventMarks } from "./eventmarks.ts";
import { el } from "../page/dom.ts";
import { type Curve, PlaneFigure } from "./planefigure.ts";
import type { TimeWindow } from "./timefigure.ts";

/** Another run that is drawn over the first. */
export interface OtherRun {
  names: [string, string];
  columns: Column[];
  time: Column | undefined;
}

/** The points of a section are what one looks for in a plane, so that many of them are drawn unasked. */
const SECTION_AT_FIRST = 5000;
const SECTION_COLOR = 2;

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
  private readonly marks: EventMarks;
  private sectionOnly = false;

  constructor(
    private readonly columns: Column[],
    private pair: [Column, Column],
    time: Column | undefined,
    window: TimeWindow,
    apart: readonly boolean[] | undefined = undefined,
    events: readonly RunEvent[] = [],
    private readonly other: OtherRun | undefined = undefined,
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
    this.marks = new EventMarks(events, SECTION_AT_FIRST);
    const chips = this.marks.chips(() => this.change());
    if (!chips) return;
    chips.append(
      check("phase-section", "Without the curve", (on) => {
        this.sectionOnly = on;
        this.change();
      }),
    );
    this.controls.after(chips);
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

  /** Forgets the ranges, since other columns have other ones. */
  private change(): void {
    this.reset();
    this.redraw();
    this.describe();
  }

  protected curves(): Curve[] {
    const [x, y] = this.pair;
    const own: Curve = { name: this.other?.names[0] ?? "whole run", x, y, color: 0, shown: !this.sectionOnly };
    const [otherX, otherY] = this.pair.map(({ name }) => this.other?.columns.find((column) => column.name === name));
    if (!this.other || !otherX || !otherY) return [own];
    return [own, { name: this.other.names[1], x: otherX, y: otherY, time: this.other.time, color: 1, shown: true }];
  }

  protected override traces(): Data[] {
    const [x, y] = this.pair;
    const section = theme().lines[SECTION_COLOR] as string;
    return [...super.traces(), ...this.marks.traces(x, y, section, true, finiteOrGap)];
  }

  protected axisTitles(): [string, string] {
    return [this.pair[0].name, this.pair[1].name];
  }

  protected equalScales(): boolean {
    return this.equal.checked;
  }
}
