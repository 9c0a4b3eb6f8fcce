/** The derived equations, typeset. */

import katex from "katex";
import { copyButton, el } from "./dom.ts";
import { withoutDelimiters } from "./latex.ts";

/** Long systems shrink a little before they scroll. */
const SMALLEST = 0.7;

export function fitEquations(block: HTMLElement): void {
  block.style.fontSize = "";
  const wide = block.scrollWidth / Math.max(1, block.clientWidth);
  if (wide > 1) block.style.fontSize = `${Math.max(SMALLEST, 0.99 / wide)}em`;
}

export function equations(latex: string): HTMLElement | undefined {
  const source = withoutDelimiters(latex);
  if (source === "") return undefined;
  const block = el("div", { class: "equations", tabindex: 0, role: "region", "aria-label": "Equations of motion" });
  try {
    katex.render(source, block, { displayMode: true, throwOnError: true, strict: "ignore", output: "htmlAndMathml", trust: false });
  } catch (error) {
    block.append(
      el("p", { class: "caution" }, `These equations could not be typeset: ${(error as Error).message}`),
      el("pre", {}, source),
    );
  }
  return el(
    "section",
    { class: "card", id: "equations", "aria-labelledby": "equations-title" },
    el("header", {}, el("h2", { id: "equations-title" }, "Equations of motion"), el("div", { class: "tools" }, copyButton("Copy LaTeX", () => source))),
    block,
  );
}
