/** The bodies of a view as objects of a scene that follow the values of the tape. */

import { BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, LineSegments, Mesh, type Object3D, PlaneGeometry, ShadowMaterial, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { MotionBody } from "../run/motion.ts";
import { theme } from "../page/theme.ts";
import { box, frame, rod, sphere, wheel } from "./meshes.ts";
import { type Bounds, attitudeOf, pointOf } from "./poses.ts";
import type { Tape } from "./tape.ts";

const NAMED = ["blue", "orange", "green", "pink", "yellow", "sky", "dark"];
const PATH_POINTS = 4000;
/** The points of a path if the processor draws, where each costs time. */
const PLAIN_PATH_POINTS = 900;
const UP = new Vector3(0, 1, 0);

/** A colour of the theme by its name or as it is; without one the next of the palette. */
export function colorOf(body: MotionBody, index: number): string {
  const { lines, muted } = theme();
  if (body.color?.startsWith("#")) return body.color;
  if (body.color === "grey") return muted;
  const named = NAMED.indexOf(body.color ?? "");
  return lines[named >= 0 ? named : index % 6] as string;
}

export interface Actor {
  /** In its place; what is on it hangs here, without its size. */
  object: Object3D;
  /** Follows the values of the tape at `time`. */
  update(values: Float64Array, time: number): void;
}

const first = (values: Float64Array, components: number[] | undefined, otherwise: number): number => (components ? Math.abs(values[components[0] as number] as number) : otherwise);

function place(object: Object3D, values: Float64Array, body: MotionBody): boolean {
  const [at, attitude] = [pointOf(values, body.at), attitudeOf(values, body.attitude)];
  object.visible = at.every(Number.isFinite) && attitude.every(Number.isFinite);
  object.position.set(...at);
  object.quaternion.set(...attitude);
  return object.visible;
}

function rodActor(body: MotionBody, color: string, bounds: Bounds): Actor {
  const object = rod(color);
  const [from, to, along] = [new Vector3(), new Vector3(), new Vector3()];
  return {
    object,
    update(values) {
      from.set(...pointOf(values, body.from));
      to.set(...pointOf(values, body.to));
      along.subVectors(to, from);
      const length = along.length();
      const radius = first(values, body.radius, 0.011 * bounds.radius);
      object.visible = Number.isFinite(length) && length > 0;
      if (!object.visible) return;
      object.position.addVectors(from, to).multiplyScalar(0.5);
      object.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
      object.scale.set(radius, length, radius);
    },
  };
}

/** A line through points of which the first `count` can be drawn alone. */
interface PathLine {
  object: Object3D;
  draw(count: number): void;
}

function wideLine(points: Float32Array, color: string, opacity: number, linewidth: number): PathLine {
  const geometry = new LineGeometry();
  if (points.length > 3) geometry.setPositions(points);
  const object = new Line2(geometry, new LineMaterial({ color, linewidth, transparent: opacity < 1, opacity }));
  return { object, draw: (count) => (geometry.instanceCount = Math.max(0, count - 1)) };
}

/** Returns a line that is one pixel wide. */
function thinLine(points: Float32Array, color: string, opacity: number): PathLine {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  return { object: new Line(geometry, new LineBasicMaterial({ color, transparent: opacity < 1, opacity })), draw: (count) => geometry.setDrawRange(0, count) };
}

/** The whole path faintly, and what is behind the body in full colour. */
function pathActor(body: MotionBody, color: string, tape: Tape, plain: boolean): Actor {
  const { times } = tape;
  const [start, end] = [times[0] as number, times[times.length - 1] as number];
  const count = plain ? PLAIN_PATH_POINTS : Math.min(PATH_POINTS, Math.max(600, 4 * times.length));
  const moments = new Float64Array(count);
  const points = new Float32Array(3 * count);
  let kept = 0;
  for (let k = 0; k < count; ++k) {
    const time = start + (k / (count - 1)) * (end - start);
    const point = pointOf(tape.evaluate(time), body.at);
    if (!point.every(Number.isFinite)) continue;
    moments[kept] = time;
    points.set(point, 3 * kept);
    ++kept;
  }
  const drawn = points.subarray(0, 3 * kept);
  const [whole, past] = plain ? [thinLine(drawn, color, 0.3), thinLine(drawn, color, 1)] : [wideLine(drawn, color, 0.22, 1.2), wideLine(drawn, color, 1, 2)];
  const object = new Group();
  for (const line of [whole, past]) {
    line.object.frustumCulled = false;
    line.object.visible = kept > 1;
    object.add(line.object);
  }
  const sign = end >= start ? 1 : -1;
  return {
    object,
    update(_, time) {
      let [low, high] = [0, kept];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sign * (moments[middle] as number) <= sign * time) low = middle + 1;
        else high = middle;
      }
      past.draw(low);
    },
  };
}

/** 1, 2 or 5 times a power of ten, near a tenth of the size. */
function spacing(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size / 10));
  const rest = size / 10 / power;
  return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

function groundActor(body: MotionBody, tape: Tape, bounds: Bounds): Actor {
  const values = tape.evaluate(tape.times[0] as number);
  const wide = Math.max((bounds.high[0] as number) - (bounds.low[0] as number), (bounds.high[1] as number) - (bounds.low[1] as number), bounds.radius);
  const size = body.size ? first(values, body.size, 1) : 1.5 * wide;
  const cell = spacing(size);
  const half = Math.ceil(size / cell / 2) * cell;
  const lines: number[] = [];
  for (let at = -half; at <= half + cell / 2; at += cell) lines.push(-half, at, 0, half, at, 0, at, -half, 0, at, half, 0);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(lines), 3));
  const grid = new LineSegments(geometry, new LineBasicMaterial({ color: new Color(theme().zero), transparent: true, opacity: 0.55 }));
  const shadow = new Mesh(new PlaneGeometry(2 * half, 2 * half), new ShadowMaterial({ opacity: 0.2 }));
  shadow.receiveShadow = true;
  shadow.position.z = -0.001 * bounds.radius;
  const object = new Group();
  object.add(grid, shadow);
  // The grid lies under what moves, at multiples of its spacing.
  const middle = body.at ? [0, 0] : [bounds.middle[0], bounds.middle[1]].map((x) => Math.round((x as number) / cell) * cell);
  return {
    object,
    update(now) {
      place(object, now, body);
      if (!body.at) object.position.set(middle[0] as number, middle[1] as number, 0);
    },
  };
}

/** A body that is scaled to its size and put in its place. */
function placed(body: MotionBody, mesh: Object3D, scale: (values: Float64Array) => [number, number, number]): Actor {
  const object = new Group();
  object.add(mesh);
  return {
    object,
    update(values) {
      if (place(object, values, body)) mesh.scale.set(...scale(values));
    },
  };
}

const alike = (x: number): [number, number, number] => [x, x, x];

/** `plain` asks for what a processor draws quickly. */
export function actorOf(body: MotionBody, index: number, all: readonly MotionBody[], tape: Tape, bounds: Bounds, plain: boolean): Actor {
  const color = colorOf(body, index);
  const { lines, text } = theme();
  switch (body.shape) {
    case "sphere":
      return placed(body, sphere(color, body.attitude !== undefined), (v) => alike(first(v, body.radius, 0.06 * bounds.radius)));
    case "box":
      return placed(body, box(color, text), (v) => pointOf(v, body.size).map(Math.abs) as [number, number, number]);
    case "wheel":
      return placed(body, wheel(color, lines[index % 6 === 1 ? 0 : 1] as string), (v) => {
        const radius = first(v, body.radius, 0.2 * bounds.radius);
        return [radius, first(v, body.width, 0.16 * radius), radius];
      });
    case "frame":
      return placed(body, frame([lines[1], lines[2], lines[0]] as string[]), (v) => alike(first(v, body.size, 0.35 * bounds.radius)));
    case "rod":
      return rodActor(body, color, bounds);
    case "path": {
      const at = all.find(({ name }) => name === body.of)?.at ?? body.at;
      return pathActor(at ? { ...body, at } : body, color, tape, plain);
    }
    case "ground":
      return groundActor(body, tape, bounds);
  }
}
