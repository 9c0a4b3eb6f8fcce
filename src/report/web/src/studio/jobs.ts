/** Sweeps, and problems that are solved: what is asked, how far it is, and the report of it. */

import { choice } from "../page/choice.ts";
import { el, saveBlob } from "../page/dom.ts";
import { formatNumber } from "../page/format.ts";
import type { NamedNumber } from "../run/data.ts";
import type { Failed, Progress, Result } from "./connection.ts";

const COUNTS = [11, 101];
/** The number of quantities that a sweep of its own offers. */
const AXES = 2;

interface Axis {
  element: HTMLElement;
  name: HTMLSelectElement;
  from: HTMLInputElement;
  to: HTMLInputElement;
  count: HTMLInputElement;
}

/** Around the value of the run: what is positive or negative stays so. */
const around = (value: number): [number, number] => (value === 0 ? [-1, 1] : value > 0 ? [0.5 * value, 1.5 * value] : [1.5 * value, 0.5 * value]);

const field = (label: string, attributes: Record<string, string | number>): HTMLInputElement => el("input", { type: "number", "aria-label": label, ...attributes });

export class Jobs {
  readonly element: HTMLDialogElement;
  private readonly axes: Axis[];
  private readonly progress = el("progress", { "aria-label": "Progress" });
  private readonly said = el("p", { class: "said", role: "status", "aria-live": "polite" });
  private readonly start = el("button", { type: "button", class: "tool play", click: () => this.begin() }, "Start");
  private readonly cancel = el("button", { type: "button", class: "tool", click: () => this.stop() }, "Cancel");
  private readonly save = el("button", { type: "button", class: "tool", click: () => void this.keep() }, "Save report");
  private readonly form = el("div", { class: "axes" });
  private readonly intro = el("p", { class: "note" });
  private readonly title = el("h2", { id: "jobs-title" });
  private readonly frame = el("div", { class: "result" });
  private kind: "sweep" | "solve" = "sweep";
  private running = 0;
  private next = 1;
  /** True if there is nothing to run. */
  private idle = false;
  private result: Result | undefined;
  private text = "";

  constructor(
    /** Sends a job: its kind, its id, and the assignments of a sweep. */
    private readonly ask: (kind: "sweep" | "solve", id: number, sweep: string[]) => void,
    private readonly give: () => void,
  ) {
    this.axes = Array.from({ length: AXES }, (_, k) => this.axis(k));
    this.form.append(...this.axes.map(({ element }) => element));
    this.element = el(
      "dialog",
      { class: "jobs card", "aria-labelledby": "jobs-title" },
      el("header", {}, this.title, el("button", { type: "button", class: "tool", "aria-label": "Close", click: () => this.element.close() }, "Close")),
      this.intro,
      this.form,
      el("div", { class: "transport" }, this.start, this.cancel, this.progress, this.said, this.save),
      this.frame,
    );
    this.settle();
  }

  private axis(k: number): Axis {
    const [from, to, count] = [field(`From, axis ${k + 1}`, { step: "any" }), field(`To, axis ${k + 1}`, { step: "any" }), field(`Count, axis ${k + 1}`, { min: 1, max: 100000, step: 1, value: COUNTS[k === 0 ? 1 : 0] as number })];
    const picker = choice(`sweep-${k}`, k === 0 ? "Vary" : "and", [], 0, () => this.fill(k));
    return { element: el("div", { class: "axis" }, picker, el("span", {}, "from"), from, el("span", {}, "to"), to, el("span", {}, "in"), count, el("span", {}, "values")), name: picker.querySelector("select") as HTMLSelectElement, from, to, count };
  }

  private values: readonly NamedNumber[] = [];

  private fill(k: number): void {
    const axis = this.axes[k];
    const value = this.values.find(({ name }) => name === axis?.name.value)?.value;
    if (!axis) return;
    for (const input of [axis.from, axis.to, axis.count]) input.disabled = value === undefined;
    if (value === undefined) return;
    [axis.from.value, axis.to.value] = around(value).map((end) => String(Number(end.toPrecision(6)))) as [string, string];
  }

  /** Opens the dialog for a text; `values` are those that can be swept. */
  open(text: string, values: readonly NamedNumber[]): void {
    if (text !== this.text && this.running === 0) {
      // The result is one of another text.
      this.result = undefined;
      this.frame.replaceChildren();
      this.said.textContent = "";
    }
    this.text = text;
    const states = (table: string) => new RegExp(`^\\s*\\[${table}[\\].]`, "m").test(text);
    this.kind = states("control") || states("boundary") ? "solve" : "sweep";
    this.title.textContent = this.kind === "solve" ? "Solve" : "Sweep";
    const own = states("sweep");
    this.intro.textContent =
      this.kind === "solve"
        ? "Solves the problem that the model states, with the values of the sliders, and checks the certificate of the solution."
        : own
          ? "Runs the model over what its table [sweep] varies, and over what is chosen here. The other values are those of the sliders."
          : "Runs the model over all combinations of these values. The other values are those of the sliders.";
    this.idle = this.kind === "sweep" && !own && values.length === 0;
    if (this.idle) this.intro.textContent = "The text has no run, so that there is nothing to vary: close this, and wait for its run, or mend the line that the editor marks.";
    this.form.hidden = this.kind === "solve" || this.idle;
    const names = values.map(({ name }) => name);
    if (this.values.map(({ name }) => name).join() !== names.join() || this.axes.some(({ name }) => name.options.length === 0)) {
      this.values = values;
      this.axes.forEach(({ name }, k) => {
        const none = own || k > 0;
        name.replaceChildren(...(none ? [el("option", { value: "" }, own && k === 0 ? "as [sweep] says" : "nothing else")] : []), ...names.map((one) => el("option", { value: one }, one)));
        this.fill(k);
      });
    } else this.values = values;
    this.settle();
    this.element.showModal();
  }

  private begin(): void {
    const sweep = this.axes.filter(({ name }) => name.value !== "").map(({ name, from, to, count }) => `${name.value}=${from.value}:${to.value}:${count.value}`);
    this.running = this.next++;
    this.result = undefined;
    this.frame.replaceChildren();
    this.progress.removeAttribute("value");
    this.said.textContent = this.kind === "solve" ? "Deriving and compiling the problem" : "Deriving and compiling the model";
    this.ask(this.kind, this.running, this.kind === "sweep" ? sweep : []);
    this.settle();
  }

  private stop(): void {
    this.running = 0;
    this.said.textContent = "Cancelled";
    this.give();
    this.settle();
  }

  private settle(): void {
    const busy = this.running !== 0;
    this.start.disabled = busy || this.idle;
    this.cancel.disabled = !busy;
    this.progress.hidden = !busy;
    this.save.hidden = this.result === undefined;
    this.element.setAttribute("aria-busy", String(busy));
  }

  tell({ id, done, of, failed }: Progress): void {
    if (id !== this.running) return;
    if (of > 0) {
      this.progress.max = of;
      this.progress.value = done;
    }
    this.said.textContent = of > 0 ? `${done} of ${of} members${failed > 0 ? `, ${failed} failed` : ""}` : `${done} iterations`;
  }

  show(result: Result): void {
    if (result.id !== this.running) return;
    this.running = 0;
    this.result = result;
    this.said.textContent = `${result.good ? "Done" : "Look closely"}: ${result.what}, ${formatNumber(result.seconds, 3)} s`;
    // Without the studio's origin the report has no way to its program.
    this.frame.replaceChildren(el("iframe", { src: result.path, title: `Report: ${result.name}`, sandbox: "allow-scripts allow-downloads" }));
    this.settle();
  }

  fail({ id, what, remedy, line, column }: Failed): void {
    if (id !== this.running) return;
    this.running = 0;
    this.said.textContent = `${line > 0 ? `Line ${line}, column ${column}: ` : ""}${remedy === "" ? what : `${what}; ${remedy}`}`;
    this.settle();
  }

  /** The program has ended the job: in good order, if its result or its failure came before. */
  ended(id: number): void {
    if (id === this.running && id !== 0) this.fail({ kind: "failed", id, what: "the computation broke off", remedy: "", line: 0, column: 0 });
  }

  private async keep(): Promise<void> {
    if (!this.result) return;
    saveBlob(`${this.result.name}.html`, await (await fetch(this.result.path)).blob());
  }
}
