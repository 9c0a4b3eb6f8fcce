/** The editor of the model's text, which marks the program's errors at their places. */

import { type Completion, type CompletionContext, type CompletionResult, autocompletion } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorView, basicSetup } from "codemirror";
import { tags } from "@lezer/highlight";

const TABLES = ["model", "algebroid", "parameters", "definitions", "dynamics", "constraints", "symmetries", "dissipated", "invariants", "observables", "initial", "simulation", "discrete", "events", "latex", "gauge", "view", "view.bodies", "indices", "sweep", "inputs", "files", "sampled", "impacts", "friction", "units", "control", "cost", "boundary", "guess", "mesh"];
const KEYS = ["name", "title", "reference", "kind", "base", "fibre", "group", "generators", "anchor", "lagrangian", "hamiltonian", "action", "time", "forces", "rule", "equations", "method", "step", "tolerance", "t_end", "output_step", "output_every", "shape", "at", "from", "to", "radius", "size", "attitude", "spin", "drift", "color", "camera", "count", "ends", "columns", "tint", "value", "every", "times", "values", "file", "column", "interpolation", "gap", "restitution", "slip", "friction", "on", "normal", "static", "kinetic"];
const FUNCTIONS = ["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "sum", "pi"];

/** Tables behind a bracket; elsewhere keys, functions and the names of the model itself. */
function complete(context: CompletionContext): CompletionResult | null {
  const table = context.matchBefore(/^\[[\w.]*/);
  const of = (words: readonly string[], type: string): Completion[] => words.map((label) => ({ label, type }));
  if (table) return { from: table.from + 1, options: of(TABLES, "class"), validFor: /^[\w.]*$/ };
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (!word && !context.explicit) return null;
  const known = new Set([...KEYS, ...FUNCTIONS]);
  const own = [...new Set(context.state.doc.toString().match(/[A-Za-z_]\w+/g) ?? [])].filter((name) => !known.has(name) && name !== word?.text);
  return { from: word?.from ?? context.pos, options: [...of(KEYS, "keyword"), ...of(FUNCTIONS, "function"), ...of(own, "variable")], validFor: /^\w*$/ };
}

const colors = HighlightStyle.define([
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--warn)" },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--accent)" },
  { tag: [tags.heading, tags.labelName, tags.keyword], color: "var(--text)", fontWeight: "600" },
]);

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--text)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--faint)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "light-dark(#cfe4f3, #24425a) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--rule)" },
});

/** It is built when it is opened, or when it has to show something: the first run need not wait for it. */
export class Editor {
  private built: EditorView | undefined;
  /** The text until then. */
  private first = "";
  private quiet = false;
  /** True if an error is shown. */
  private marked = false;

  constructor(
    private readonly parent: HTMLElement,
    private readonly nonce: string,
    private readonly typed: () => void,
  ) {}

  open(): void {
    this.built ??= new EditorView({
      doc: this.first,
      parent: this.parent,
      extensions: [
        EditorView.cspNonce.of(this.nonce),
        basicSetup,
        StreamLanguage.define(toml),
        syntaxHighlighting(colors),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Model" }),
        autocompletion({ override: [complete] }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !this.quiet) this.typed();
        }),
      ],
    });
  }

  private get view(): EditorView {
    this.open();
    return this.built as EditorView;
  }

  get text(): string {
    return this.built?.state.doc.toString() ?? this.first;
  }

  /** Replaces the text without telling the listener. This can be undone, but for the first text. */
  set text(text: string) {
    const { built } = this;
    if (!built) {
      // The editor reads any end of a line as one.
      this.first = text.replace(/\r\n?/g, "\n");
      return;
    }
    this.quiet = true;
    built.dispatch({ changes: { from: 0, to: built.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    this.quiet = false;
  }

  /** Marks the word at a place, or the first line if no place applies. */
  showError(line: number, column: number, message: string): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
    const word = /^[\w.]+/.exec(at.text.slice(from - at.from))?.[0].length ?? 1;
    const diagnostic: Diagnostic = { from, to: Math.max(Math.min(from + word, at.to), from), severity: "error", message };
    this.view.dispatch(setDiagnostics(this.view.state, [diagnostic]));
    this.marked = true;
  }

  clearErrors(): void {
    // A change of the editor costs a third of what the page does for a slider.
    if (!this.marked) return;
    this.view.dispatch(setDiagnostics(this.view.state, []));
    this.marked = false;
  }

  goTo(line: number, column: number): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.view.dispatch({ selection: { anchor: Math.min(at.from + Math.max(column - 1, 0), at.to) }, scrollIntoView: true });
    this.view.focus();
  }
}
