/** The motion of a run as a card of the report. */

import { el } from "../page/dom.ts";
import type { TimeCursor } from "../figures/cursor.ts";
import { type Run, timeColumn } from "../run/data.ts";
import { type Motion, isDrawn } from "../run/motion.ts";
import { Player } from "./player.ts";

/** The picture is made when it comes near the window: reports open at once. */
export function motionCard(run: Run, motion: Motion, cursor: TimeCursor): HTMLElement | undefined {
  const time = timeColumn(run);
  if (!time) return undefined;
  if (!isDrawn(motion)) {
    return el("section", { class: "card motion", id: "motion", "aria-labelledby": "motion-title" }, el("h2", { id: "motion-title" }, "Motion"), el("p", { class: "note" }, motion.note ?? ""));
  }
  const player = new Player(cursor, () => run.facts.model_name || "run");
  const column = (name: string) => run.columns.find((one) => one.name === name)?.values;
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      player.show({ motion, times: time.values, timeName: time.name, column });
    },
    { rootMargin: "300px" },
  );
  near.observe(player.element);
  return player.element;
}
