/** Motions that are drawn faintly beside another one. */

import { Group, type Material, Mesh, type Object3D } from "three";
import type { Motion } from "../run/motion.ts";
import { type Actor, actorOf } from "./bodies.ts";
import type { Bounds } from "./poses.ts";
import type { Tape } from "./tape.ts";

const OPACITY = 0.2;

export interface Ghost {
  motion: Motion;
  tape: Tape;
}

function fade(object: Object3D): void {
  object.traverse((part) => {
    part.castShadow = false;
    part.receiveShadow = false;
    const { material } = part as { material?: Material | Material[] };
    for (const one of Array.isArray(material) ? material : material ? [material] : []) {
      one.opacity *= OPACITY;
      one.transparent = true;
      // Bodies behind a ghost are seen through it, in whatever order the two are drawn.
      if (part instanceof Mesh) one.depthWrite = false;
    }
  });
}

/** The bodies of a ghost, without the ground that all share. */
export function ghostActor({ motion, tape }: Ghost, bounds: Bounds, plain: boolean): Actor {
  const { bodies } = motion;
  const actors = bodies.map((body, index) => actorOf(body, index, bodies, tape, bounds, plain));
  const object = new Group();
  actors.forEach((actor, index) => {
    const { on, shape } = bodies[index] as (typeof bodies)[number];
    if (shape === "ground") return;
    const parent = on === undefined ? -1 : bodies.findIndex(({ name }) => name === on);
    (actors[parent]?.object ?? object).add(actor.object);
  });
  fade(object);
  return {
    object,
    update(_, time) {
      const values = tape.evaluate(time);
      for (const actor of actors) actor.update(values, time);
    },
  };
}
