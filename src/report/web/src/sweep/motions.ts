/** The motions of some members as one picture: one member as it is, the others as ghosts. */

import { TimeCursor } from "../figures/cursor.ts";
import { type Playable, Player } from "../motion/player.ts";
import { choice } from "../page/choice.ts";
import { el } from "../page/dom.ts";
import { formatCount, formatNumber } from "../page/format.ts";
import type { MovingMember, Sweep } from "./sweepdata.ts";

const note = (text: string): HTMLElement =>
  el("section", { class: "card motion", id: "motion", "aria-labelledby": "motion-title" }, el("h2", { id: "motion-title" }, "Motion"), el("p", { class: "note" }, text));

/** The card; undefined if the file kept no motions. */
export function motionsCard({ facts, motion, quantities }: Sweep): HTMLElement | undefined {
  if (!motion) return undefined;
  if (motion.members.length === 0) return note(motion.note ?? "");
  const { members, times } = motion;
  const nameOf = ({ member, swept }: MovingMember): string =>
    `${member}` + (swept.length > 0 && swept.length <= 3 ? `: ${quantities.map(({ label }, k) => `${label} = ${formatNumber(swept[k] as number, 4)}`).join(", ")}` : "");
  const playables = members.map(({ motion: own, columns }): Playable => ({ motion: own, times, timeName: facts.time, column: (name) => columns.get(name) }));
  const player = new Player(new TimeCursor(), () => facts.model_name || "ensemble");
  const middle = Math.floor((members.length - 1) / 2);
  let ghosts = true;
  let chosen = middle;
  const show = (keep: boolean) => player.show(playables[chosen] as Playable, keep, ghosts ? playables.filter((_, k) => k !== chosen) : []);
  const box = el("input", { type: "checkbox", id: "ghosts" });
  box.checked = true;
  box.addEventListener("change", () => {
    ghosts = box.checked;
    show(true);
  });
  const solid = choice("solid-member", "Solid member", members.map(nameOf), middle, (index) => {
    chosen = index;
    show(true);
  });
  const others = el("label", { class: "check", for: "ghosts" }, box, "Others as ghosts");
  const all = members.length === facts.members ? "" : ` ${formatCount(members.length)} of ${formatCount(facts.members)} members, evenly spread.`;
  player.element.querySelector("header")?.after(el("div", { class: "transport" }, solid, members.length > 1 ? others : undefined, el("span", { class: "note" }, all)));
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      show(false);
    },
    { rootMargin: "300px" },
  );
  near.observe(player.element);
  return player.element;
}
