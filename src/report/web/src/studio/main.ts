/** The studio: write a model, move its sliders, see its motion, and whether the picture can be trusted. */

import "../page/styles.ts";
import { TimeCursor } from "../figures/cursor.ts";
import { Player } from "../motion/player.ts";
import { choice } from "../page/choice.ts";
import { download, el, whenIdle } from "../page/dom.ts";
import { equations, fitEquations } from "../page/equations.ts";
import { formatNumber, formatResidual } from "../page/format.ts";
import { toggleTheme } from "../page/theme.ts";
import { type Run, movable, timeColumn } from "../run/data.ts";
import { decodeMotion, isDrawn } from "../run/motion.ts";
import { DISCRETE_NOTE, isBroken, laws } from "../run/panels.ts";
import { fact, lawList, outcome } from "../run/verdict.ts";
import { type Answer, type Arrival, Connection, type Fault, type Hello, type Problem, isFramed } from "./connection.ts";
import { Curves } from "./curves.ts";
import { Editor } from "./editor.ts";
import { Jobs } from "./jobs.ts";
import { type State, fragmentOf, stateOf } from "./link.ts";
import { Sliders } from "./sliders.ts";

/** A pause in typing after which the model is read. */
const PAUSE = 180;
/** Milliseconds after which the equations of an earlier text make room for a line that says what is awaited. */
const EQUATIONS_PAUSE = 300;
/** Milliseconds for which no value has changed before equations are set in type, and those for which they wait at most. */
const REST = 300;
const LONGEST_REST = 2000;

class Studio {
  private readonly cursor = new TimeCursor();
  private readonly player = new Player(this.cursor, () => this.run?.facts.model_name || "model", (coordinates) => this.changeAll(Object.fromEntries(coordinates)));
  private readonly curves = new Curves(this.cursor, (columns) => {
    this.columns = columns;
    this.ask();
  });
  private readonly parameters = new Sliders("Parameters", (name, value) => this.change(name, value));
  private readonly starts = new Sliders("Start", (name, value) => this.change(name, value));
  private readonly status = el("p", { class: "status", role: "status", "aria-live": "polite" });
  private readonly fault = el("button", { type: "button", class: "fault", "aria-live": "assertive" });
  private readonly notice = el("div", { class: "notice", role: "status" });
  private readonly verdict = el("section", { class: "card verdict", id: "verdict", "aria-labelledby": "verdict-title" });
  private readonly formulas = el("div", { class: "formulas" });
  private readonly picker = el("span", {});
  private readonly methods = el("span", {});
  private readonly save = el("button", { type: "button", class: "tool", click: () => this.store() }, "Save");
  private readonly page = el("main", { class: "rooms", id: "main" });
  private readonly jobs = new Jobs(
    (kind, id, sweep) => this.connection.send({ kind, id, text: this.editor.text, changes: this.changes, method: this.method, sweep }),
    () => this.connection.send({ kind: "cancel" }),
  );
  private readonly editor: Editor;
  private readonly connection: Connection;
  private hello: Hello | undefined;
  private run: Run | undefined;
  private changes: Record<string, number> = {};
  private newest: string[] = [];
  private columns: string[] = [];
  private method = "";
  private state: State | undefined;
  private place: [number, number] = [0, 0];
  private bodies = "";
  private typing = 0;
  private remembering = 0;
  private typesetting = 0;
  /** The time at which a value was changed last. */
  private movedAt = -Infinity;
  /** Gives up equations that have arrived and are not set in type yet. */
  private leaveUnset = () => {};

  constructor(nonce: string) {
    // First, since the program compiles the model while the page is built.
    this.connection = new Connection({
      answer: (answer) => void this.take(answer),
      arrival: (arrival) => this.show(arrival),
      closed: () => this.say("The studio has ended. Start it again to go on; the text is still here.", true),
    });
    const editor = el("div", { class: "editor" });
    const sliders = el("section", { class: "card", id: "values", "aria-label": "Parameters and start" }, this.parameters.element, this.starts.element);
    this.page.append(
      el("div", { class: "column" }, el("section", { class: "card writing", "aria-label": "Model" }, editor, this.fault), this.formulas),
      el("div", { class: "column" }, this.player.element, this.curves.element),
      el("div", { class: "column" }, this.verdict, sliders),
    );
    const button = (label: string, act: () => void, title: string) => el("button", { type: "button", class: "tool", title, click: act }, label);
    document.getElementById("app")?.replaceChildren(
      el("header", { class: "topbar" }, el("h1", {}, "Herglotz"), this.picker, this.methods, this.status, this.save, ...(isFramed() ? [] : [button("Sweep or solve", () => this.openJobs(), "Run the model over many values, or solve the problem that it states"), button("Copy link", () => void this.copyLink(), "An address that brings back exactly this")]), button("Report", () => this.askReport(), "Save the report of this run"), el("button", { type: "button", class: "tool", title: "Switch between light and dark", "aria-label": "Light / dark", click: toggleTheme }, "◐")),
      this.page,
      this.notice,
      this.jobs.element,
    );
    this.editor = new Editor(editor, nonce, () => this.typed());
    this.fault.addEventListener("click", () => this.editor.goTo(...this.place));
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "s") {
        event.preventDefault();
        this.store();
      }
    });
    this.cursor.follow(() => this.remember());
  }

  private say(text: string, stays = false): void {
    this.notice.textContent = text;
    if (!stays) setTimeout(() => this.notice.textContent === text && (this.notice.textContent = ""), 2500);
  }

  private async take(answer: Answer): Promise<void> {
    switch (answer.kind) {
      case "hello":
        return this.greet(answer);
      case "error":
        return this.fail(answer);
      case "equations":
        return this.takeEquations(answer.latex, answer.why);
      case "model":
        return this.begin({ text: answer.text, changes: {}, method: "" });
      case "problem":
        return this.pose(answer);
      case "progress":
        return this.jobs.tell(answer);
      case "result":
        return this.jobs.show(answer);
      case "failed":
        return this.jobs.fail(answer);
      case "ended":
        return this.jobs.ended(answer.id);
      case "report":
        return download(`${answer.name || "run"}.html`, "text/html", answer.html);
      case "saved":
        return this.say(`Saved as ${answer.file}`);
      case "unsaved":
        return this.say(`Not saved: ${answer.what}`);
    }
  }

  /** The first run is asked for before anything else is built. */
  private async greet(hello: Hello): Promise<void> {
    this.hello = hello;
    const fragment = isFramed() ? "" : location.hash.slice(1);
    this.begin((fragment === "" ? undefined : await stateOf(fragment)) ?? { text: hello.text, changes: {}, method: "" });
    const names = hello.gallery.map(({ name }) => name);
    this.picker.replaceChildren(
      choice("gallery", "Gallery", ["choose a model", ...names], 0, (k) => k > 0 && this.connection.send({ kind: "gallery", name: names[k - 1] })),
    );
    this.methods.replaceChildren(
      choice("method", "Method", ["as the model says", "auto", ...hello.methods], this.methodIndex, (k) => {
        this.method = k === 0 ? "" : (["auto", ...hello.methods][k - 1] as string);
        this.ask();
      }),
    );
    this.save.textContent = hello.saves ? "Save" : "Save a copy";
    this.save.title = hello.saves ? `Write ${hello.file}` : "Keep the model as a file";
  }

  /** The place of the method among the choices, the first of which is that of the text. */
  private get methodIndex(): number {
    return this.method === "" ? 0 : 1 + ["auto", ...(this.hello?.methods ?? [])].indexOf(this.method);
  }

  private begin(state: State): void {
    this.forget();
    this.state = state;
    this.editor.text = state.text;
    this.changes = { ...state.changes };
    this.newest = [];
    this.columns = [...(state.columns ?? [])];
    this.method = state.method;
    this.bodies = "";
    const select = document.getElementById("method") as HTMLSelectElement | null;
    if (select) select.value = String(this.methodIndex);
    this.ask();
  }

  /** Nothing that was said of the model before, or is still to come, stands beside a text that is opened. */
  private forget(): void {
    this.connection.forget();
    this.leaveUnset();
    this.run = undefined;
    this.page.classList.remove("stale");
    this.page.classList.add("unrun");
    this.fault.textContent = "";
    this.editor.clearErrors();
    this.status.className = "status";
    this.status.replaceChildren(el("strong", {}, "Opened"), el("span", {}, "its first run follows"));
    this.verdict.replaceChildren(el("h2", { id: "verdict-title" }, "What was verified"), el("p", { class: "note" }, "Nothing yet: this model has no run."));
  }

  private ask(): void {
    this.connection.run({ text: this.editor.text, changes: this.changes, method: this.method, newest: this.newest, columns: this.columns });
    this.page.setAttribute("aria-busy", "true");
    this.remember();
  }

  private typed(): void {
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.ask(), PAUSE);
  }

  private change(name: string, value: number | undefined): void {
    const { [name]: _, ...others } = this.changes;
    this.changes = value === undefined ? others : { ...others, [name]: value };
    this.newest = [name];
    this.movedAt = performance.now();
    this.ask();
  }

  private changeAll(values: Record<string, number>): void {
    this.changes = { ...this.changes, ...values };
    this.newest = Object.keys(values);
    this.movedAt = performance.now();
    this.ask();
  }

  private answered(): void {
    this.page.setAttribute("aria-busy", String(this.connection.busy));
    whenIdle(() => this.editor.open());
  }

  private fail({ what, remedy, line, column }: Fault): void {
    this.answered();
    const message = remedy === "" ? what : `${what}; ${remedy}`;
    this.place = [line, column];
    this.fault.textContent = line > 0 ? `Line ${line}, column ${column}: ${message}` : message;
    this.editor.showError(line, column, message);
    this.page.classList.add("stale");
    this.status.className = "status bad";
    this.status.replaceChildren(el("strong", {}, "Not run"), el("span", {}, this.run ? "what is shown is the last model that ran" : "no motion is shown"));
    // The equations of a text that does not run are not typeset; those that were asked for before arrive all the same.
    if (this.typesetting === 0) return;
    this.stopAwaiting();
    this.formulas.replaceChildren();
  }

  /** Setting equations in type takes as long as all else that the page does for a first run, whose picture is drawn before. A slider that moves is not held up by them either. */
  private takeEquations(latex: string, why: string, since = performance.now()): void {
    this.leaveUnset();
    this.leaveUnset = whenIdle(() => {
      const now = performance.now();
      if (now - this.movedAt < REST && now - since < LONGEST_REST) this.takeEquations(latex, why, since);
      else this.setEquations(latex, why);
    });
  }

  private setEquations(latex: string, why: string): void {
    this.stopAwaiting();
    this.formulas.replaceChildren(equations(latex) ?? "", ...(why === "" ? [] : [el("p", { class: "note" }, `The equations could not be printed: ${why}`)]));
    document.querySelectorAll<HTMLElement>(".equations").forEach(fitEquations);
  }

  /** Equations of an earlier text do not stand beside a run of this one, and those of another model not even for a moment. */
  private awaitEquations(): void {
    if (this.page.classList.contains("unrun")) this.formulas.replaceChildren();
    if (this.typesetting !== 0) return;
    this.typesetting = window.setTimeout(() => this.formulas.replaceChildren(el("p", { class: "note" }, "The equations are being typeset.")), EQUATIONS_PAUSE);
  }

  private stopAwaiting(): void {
    clearTimeout(this.typesetting);
    this.typesetting = 0;
  }

  /** A problem of control has no motion before it is solved: nothing of the model before stays beside it. */
  private pose({ name, title }: Problem): void {
    this.answered();
    this.run = undefined;
    this.changes = {};
    this.columns = [];
    this.bodies = "";
    this.state = undefined;
    this.fault.textContent = "";
    this.editor.clearErrors();
    this.page.classList.remove("stale");
    this.page.classList.add("problem");
    this.parameters.show([], {});
    this.starts.show([], {});
    this.awaitEquations();
    this.page.classList.remove("unrun");
    this.status.className = "status";
    this.status.replaceChildren(el("strong", {}, "Problem"), el("span", {}, "of control, to be solved"));
    this.verdict.replaceChildren(
      el("h2", { id: "verdict-title" }, "A problem of control"),
      el("p", {}, `${title || name}: it has no motion before it is solved. The report of its solution has the controls, the motion, and a certificate.`),
      isFramed() ? "" : el("button", { type: "button", class: "tool play", click: () => this.openJobs() }, "Solve it"),
    );
    document.title = `${title || name || "Problem"} · Herglotz studio`;
    this.remember();
  }

  private show({ run, milliseconds, stages, part, unknown, typesetting }: Arrival): void {
    const began = performance.now();
    this.run = run;
    this.answered();
    this.fault.textContent = "";
    this.editor.clearErrors();
    this.page.classList.remove("stale");
    const gone = unknown.filter((name) => name in this.changes);
    if (gone.length > 0) {
      this.changes = Object.fromEntries(Object.entries(this.changes).filter(([name]) => !gone.includes(name)));
      this.say(`The text has no ${gone.join(", ")} any more: the changed value is forgotten.`);
      this.remember();
    }
    // Sites were chosen of a model with an index, which the text no longer has.
    if (run.fields === undefined) this.columns = [];
    if (typesetting) this.awaitEquations();
    this.page.classList.remove("problem", "unrun");
    this.parameters.show(run.facts.parameters, this.changes, run.counts);
    this.starts.show(run.facts.initial, this.changes);
    this.judge(run, milliseconds, part);
    // A beginning is shown if the motion stands at its start; otherwise it may not reach the moment that is looked at.
    if (part === undefined || this.player.standsAtStart) this.move(run);
    this.curves.show(run, this.columns, part);
    document.title = `${run.facts.title || run.facts.model_name || "Model"} · Herglotz studio`;
    this.page.dataset.stages = JSON.stringify({ ...stages, show: performance.now() - began });
  }

  private move(run: Run): void {
    const motion = decodeMotion(run.motion);
    const time = timeColumn(run);
    const drawn = motion !== undefined && isDrawn(motion) && time !== undefined && time.values.length > 1;
    this.player.element.classList.toggle("empty", !drawn);
    this.player.element.hidden = !drawn;
    if (!drawn) return;
    const bodies = [...motion.bodies, ...motion.arrays].map(({ name, shape }) => `${name}:${shape}`).join();
    const same = bodies === this.bodies;
    this.bodies = bodies;
    this.player.show({ motion, times: time.values, timeName: time.name, column: (name) => run.columns.find((one) => one.name === name)?.values, movable: movable(run) }, same);
    if (this.state?.time !== undefined) this.cursor.set(this.state.time);
    this.state = undefined;
  }

  /** The outcome and the worst law in the bar, all laws beside the motion. */
  private judge(run: Run, milliseconds: number, part: number | undefined): void {
    const { facts } = run;
    const all = laws(run);
    const worst = all.reduce<(typeof all)[number] | undefined>((a, b) => (a === undefined || Number.isNaN(b.largest) || b.largest > a.largest ? b : a), undefined);
    const good = facts.complete && !all.some(isBroken);
    const begun = part === undefined ? undefined : `The first ${formatNumber(100 * part, 2)} % of the run`;
    this.status.className = begun ? "status" : good ? "status good" : "status bad";
    // A discrete motion is not judged by laws that are not its own.
    const discrete = all.some(({ ofContinuousTime }) => ofContinuousTime);
    const size = worst ? formatResidual(worst.largest) : "";
    this.status.replaceChildren(
      el("strong", {}, begun ? "Running" : !facts.complete ? "Stopped early" : !good ? "Large residual" : discrete ? "Complete" : "Verified"),
      el("span", {}, worst === undefined ? "no law recorded" : discrete ? `${size} from the laws of continuous time` : `${size} ${worst.label}`),
    );
    this.status.title = worst === undefined || discrete ? "" : `Largest residual of all laws: ${size}, ${worst.label}`;
    const how = facts.tolerance > 0 ? `tolerance ${formatNumber(facts.tolerance)}` : facts.step > 0 ? `step ${formatNumber(facts.step)}` : undefined;
    this.verdict.replaceChildren(
      el("h2", { id: "verdict-title" }, "What was verified"),
      begun ? el("p", { class: "outcome" }, `${begun}; the rest follows.`) : outcome(run),
      ...(all.length > 0 ? [lawList(all, facts.tolerance, "Largest residual of each law")] : []),
      el("dl", { class: "facts" }, fact("Method", facts.method, how), fact("Computed in", `${formatNumber(milliseconds, 3)} ms`, `${facts.steps} steps, ${run.rows} rows`)),
      ...(facts.method_reason === "" ? [] : [el("p", { class: "note" }, `Chosen because ${facts.method_reason}`)]),
      ...(discrete ? [el("p", { class: "note" }, DISCRETE_NOTE)] : []),
      ...facts.notes.map((note) => el("p", { class: "note" }, note)),
    );
  }

  private askReport(): void {
    if (this.run) this.connection.send({ kind: "report" });
    else this.say("There is no run to report. Sweep or solve has the report of a solution.");
  }

  private openJobs(): void {
    const { facts } = this.run ?? {};
    this.jobs.open(this.editor.text, facts === undefined || this.page.classList.contains("stale") ? [] : [...facts.parameters, ...facts.initial]);
  }

  private store(): void {
    if (this.hello?.saves) this.connection.send({ kind: "save", text: this.editor.text });
    else download(`${this.run?.facts.model_name || "model"}.toml`, "application/toml", this.editor.text);
  }

  private get current(): State {
    const { time } = this.cursor;
    return { text: this.editor.text, changes: this.changes, method: this.method, columns: this.columns, ...(time === undefined ? {} : { time }) };
  }

  /** Keeps the address in step with the page, so that a reload loses nothing. */
  private remember(): void {
    if (isFramed()) return;
    clearTimeout(this.remembering);
    this.remembering = window.setTimeout(async () => history.replaceState(null, "", `/#${await fragmentOf(this.current)}`), 500);
  }

  private async copyLink(): Promise<void> {
    const address = `${location.origin}/#${await fragmentOf(this.current)}`;
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address);
      this.say("The link is copied");
    } catch {
      this.say("The link is in the address bar");
    }
  }
}

new Studio((document.getElementById("studio") as HTMLScriptElement).nonce);
