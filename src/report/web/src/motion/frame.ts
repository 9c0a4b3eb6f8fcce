/** The motion and its curves alone, in a frame of a notebook: its time is that of the notebook. */

import { TimeCursor } from "../figures/cursor.ts";
import { el } from "../page/dom.ts";
import type { Run } from "../run/data.ts";
import { decodeMotion } from "../run/motion.ts";
import { Curves } from "../studio/curves.ts";
import { motionCard } from "./card.ts";

/** The name of such a frame. */
export const MOTION_FRAME = "herglotz-motion";

export function showFrame(run: Run): void {
  const cursor = new TimeCursor();
  const motion = decodeMotion(run.motion);
  const curves = new Curves(cursor);
  curves.show(run);
  document.getElementById("app")?.replaceChildren(el("main", { id: "main", class: "frame" }, motion && motionCard(run, motion, cursor), curves.element));
  window.addEventListener("message", ({ source, data }) => source === window.parent && typeof data?.time === "number" && cursor.set(data.time));
  cursor.follow((time) => window.parent.postMessage({ time }, "*"));
}
