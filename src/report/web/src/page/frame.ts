/** The parts that the pages share: masthead, sections, figures that draw when they are near, print. */

import { el } from "./dom.ts";
import { fitEquations } from "./equations.ts";
import type { Figure } from "../figures/plot.ts";
import { onThemeChange, setPrinting, toggleTheme } from "./theme.ts";

export interface Content {
  kicker: string;
  title: string;
  reference?: string;
  version: string;
  /** Cards above and below the figures. */
  before: (HTMLElement | undefined)[];
  /** A line above the figures. */
  note?: string | undefined;
  figures: Figure[];
  after: (HTMLElement | undefined)[];
}

/** A plot is drawn when it comes near the window: long reports open at once. */
function drawWhenNear(figures: Figure[]): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        figures.find(({ element }) => element === target)?.draw();
      }
    },
    { rootMargin: "500px" },
  );
  for (const { element } of figures) near.observe(element);
}

/** Paper shows everything, in light colours and at the paper's width. */
function preparePrinting(figures: Figure[]): void {
  const details = () => document.querySelectorAll("details");
  const opened = new Set<HTMLDetailsElement>();
  const refresh = () => {
    for (const figure of figures) {
      figure.draw();
      figure.redraw();
    }
    for (const block of document.querySelectorAll<HTMLElement>(".equations")) fitEquations(block);
  };
  window.addEventListener("beforeprint", () => {
    setPrinting(true);
    document.documentElement.classList.add("printing");
    for (const element of details()) {
      if (!element.open) opened.add(element);
      element.open = true;
    }
    refresh();
  });
  window.addEventListener("afterprint", () => {
    setPrinting(false);
    document.documentElement.classList.remove("printing");
    for (const element of opened) element.open = false;
    opened.clear();
    refresh();
  });
}

function navigation(sections: HTMLElement[]): HTMLElement {
  const links = sections.map(({ id }) => el("a", { href: `#${id}` }, id.charAt(0).toUpperCase() + id.slice(1)));
  return el("nav", { "aria-label": "Sections" }, el("div", { class: "wide" }, ...links));
}

export function showPage(content: Content): void {
  const { figures, note, reference } = content;
  const present = (sections: (HTMLElement | undefined)[]) => sections.filter((section): section is HTMLElement => section !== undefined);
  const [before, after] = [present(content.before), present(content.after)];
  const cards = figures.map(({ element }) => element);
  const grid = el("div", { class: "figures" }, ...cards);
  document.getElementById("app")?.replaceChildren(
    el(
      "header",
      { class: "masthead" },
      el(
        "div",
        { class: "wide" },
        el("p", { class: "kicker" }, content.kicker),
        el("h1", {}, content.title),
        reference !== undefined && reference !== "" && el("p", { class: "reference" }, reference),
        el("button", { type: "button", class: "tool theme", click: toggleTheme, "aria-label": "Switch between light and dark" }, "Light / dark"),
      ),
    ),
    navigation([...before, ...cards, ...after]),
    el("main", { id: "main", class: "wide" }, ...before, note !== undefined && el("p", { class: "thinned note" }, note), grid, ...after),
    el("footer", { class: "wide" }, `Made by Herglotz ${content.version}. This file needs no network and holds everything that it shows.`),
  );
  if (figures.length % 2 === 0 && figures[0]) grid.classList.add("even");
  drawWhenNear(figures);
  preparePrinting(figures);
  onThemeChange(() => figures.forEach((figure) => figure.redraw()));
  const fit = () => document.querySelectorAll<HTMLElement>(".equations").forEach(fitEquations);
  fit();
  void document.fonts.ready.then(fit);
  window.addEventListener("resize", fit);
}
