/** The picture of a motion that this page follows: parameters are columns, and bodies with rates are carried along. */

import { Tape } from "../motion/tape.ts";
import type { Playable } from "../motion/player.ts";
import { type NamedNumber, type Run, timeColumn } from "../run/data.ts";
import type { Motion, Operation } from "../run/motion.ts";
import { attitudeOf, carried, carriedInSpace } from "./carried.ts";
import type { LiveView } from "./module.ts";

type Vector = [number, number, number];

export function playableOf(view: LiveView, run: Run, parameters: readonly NamedNumber[], movable?: ReadonlyMap<string, number>): Playable | undefined {
  const time = timeColumn(run);
  if (!time || time.values.length < 2 || view.bodies.length === 0) return undefined;
  const times = time.values;
  const column = (name: string): number[] | undefined => {
    const known = run.columns.find((one) => one.name === name)?.values;
    if (known) return known;
    const parameter = parameters.find((one) => one.name === name);
    return parameter && times.map(() => parameter.value);
  };
  const tape = new Tape(view.operations, times, column);
  const operations: Operation[] = [...view.operations];
  const columns: Motion["columns"] = [];
  const add = (name: string, values: number[]): number => {
    columns.push({ name, values });
    return operations.push(["column", name]) - 1;
  };
  const bodies = view.bodies.map(({ spin, drift, space, ...body }) => {
    if (!spin && !drift) return body;
    const at = (places: readonly number[] | undefined, values: ArrayLike<number>): number[] | undefined => places?.map((place) => values[place] as number);
    const rates = times.map((t) => {
      const values = tape.evaluate(t);
      return [at(spin, values) ?? [0, 0, 0], at(drift, values) ?? [0, 0, 0]] as [Vector, Vector];
    });
    const first = tape.evaluate(times[0] as number);
    const start = { attitude: attitudeOf(at(body.attitude, first) ?? [1, 0, 0, 0]), place: (at(body.at, first) ?? [0, 0, 0]) as Vector };
    const follow = space ? carriedInSpace : carried;
    const poses = follow(times, rates.map(([turn]) => turn), rates.map(([, move]) => move), start);
    const result = { ...body };
    if (spin) result.attitude = [0, 1, 2, 3].map((c) => add(`${body.name}: attitude ${c}`, poses.map(({ attitude }) => attitude[c] as number)));
    if (drift) result.at = [0, 1, 2].map((c) => add(`${body.name}: at ${c}`, poses.map(({ place }) => place[c] as number)));
    return result;
  });
  return { motion: { ...view, bodies, operations, columns, arrays: [], components: [], moments: [] }, times, timeName: time.name, column, ...(movable ? { movable } : {}) };
}
