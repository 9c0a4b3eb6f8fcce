/** The bodies of sites and edges as objects of a scene: many of one kind, drawn at once. */

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, InstancedMesh, LineBasicMaterial, LineSegments, type Material, Matrix4, Mesh, type Object3D, Quaternion, Vector3 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { shade } from "../figures/shades.ts";
import { theme } from "../page/theme.ts";
import { type Motion, type MotionArray, innerRange } from "../run/motion.ts";
import { type Actor, colorOf } from "./bodies.ts";
import { box, frame, manySpheres, rod, solid, sphere, wheel } from "./meshes.ts";
import type { Moments } from "./moments.ts";
import { type Bounds, type Point, attitudeOf } from "./poses.ts";

/** The most bodies that have a colour each: more colours are hard to tell apart. */
const FEW = 6;
/** If there are more bodies than this, each has fewer faces. */
const MANY = 60;
/** The number of points that all paths have together. */
const PATH_POINTS = 60_000;
const UP = new Vector3(0, 1, 0);

type Key = "at" | "from" | "to" | "attitude" | "radius" | "width" | "size" | "tint";

/** The components of an array at a time. */
class Bodies {
  private readonly held = new Map<number, Float32Array>();

  constructor(
    readonly array: MotionArray,
    private readonly motion: Motion,
    private readonly moments: Moments,
  ) {}

  /** Looks up all values at a time. */
  at(time: number): void {
    for (const key of ["at", "from", "to", "attitude", "radius", "width", "size", "tint"] as Key[])
      for (const number of this.array[key] ?? []) {
        const component = this.motion.components[number];
        if (!component) throw new Error(`the motion has no component ${number}`);
        let values = this.held.get(number);
        if (!values) this.held.set(number, (values = new Float32Array(component.bodies)));
        this.moments.values(component, time, values);
      }
  }

  has(key: Key): boolean {
    return this.array[key] !== undefined;
  }

  /** A component of a body. */
  value(key: Key, body: number, c = 0, otherwise = 0): number {
    const number = this.array[key]?.[c];
    return number === undefined ? otherwise : ((this.held.get(number) as Float32Array)[body] as number);
  }

  point(key: "at" | "from" | "to" | "size", body: number): Point {
    return [this.value(key, body, 0), this.value(key, body, 1), this.value(key, body, 2)];
  }

  attitude(body: number): [number, number, number, number] {
    const components = this.array.attitude;
    if (!components) return [0, 0, 0, 1];
    return attitudeOf(Float64Array.from(components, (_, c) => this.value("attitude", body, c)), components.map((_, c) => c));
  }

  /** The range of colours: that of all values that colour a body but a few. */
  get tints(): [number, number] {
    return innerRange(this.motion.components[this.array.tint?.[0] as number]?.values ?? []);
  }
}

/** One mesh for all bodies in place of each mesh of a prototype. Lines of a prototype are left out. */
function instanced(prototype: Object3D, count: number): { object: Group; meshes: { mesh: InstancedMesh; own: Matrix4 }[] } {
  const object = new Group();
  const meshes: { mesh: InstancedMesh; own: Matrix4 }[] = [];
  prototype.updateMatrixWorld(true);
  prototype.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    const mesh = new InstancedMesh(part.geometry, part.material as Material, count);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    meshes.push({ mesh, own: part.matrixWorld.clone() });
    object.add(mesh);
  });
  return { object, meshes };
}

const palette = (array: MotionArray, index: number): string[] => {
  const { lines } = theme();
  if (array.color !== undefined || array.bodies > FEW) return [colorOf({ name: array.name, shape: "sphere", ...(array.color === undefined ? {} : { color: array.color }) }, index)];
  return Array.from({ length: array.bodies }, (_, k) => lines[(index + k) % lines.length] as string);
};

const isPlace = (point: Point): boolean => point.every(Number.isFinite);

/** A value that is not a number has the colour `unknown`. */
const tinted = (value: number, [low, high]: readonly [number, number], unknown: string, into: Color): Color => {
  if (!Number.isFinite(value)) return into.set(unknown);
  const [red, green, blue] = shade(high > low ? (value - low) / (high - low) : 0.5);
  return into.setRGB(red / 255, green / 255, blue / 255, "srgb");
};

function solids(array: MotionArray, index: number, motion: Motion, moments: Moments, bounds: Bounds, plain: boolean): Actor {
  const bodies = new Bodies(array, motion, moments);
  const colors = palette(array, index);
  const several = colors.length > 1 || bodies.has("tint");
  const own = several ? "#ffffff" : (colors[0] as string);
  const { lines, text, muted } = theme();
  const prototype = (): Object3D => {
    switch (array.shape) {
      case "box":
        return box(own, text);
      case "wheel":
        return wheel(own, lines[1] as string);
      case "frame":
        return frame([lines[1], lines[2], lines[0]] as string[]);
      case "rod":
        return rod(own);
      default:
        return array.bodies > MANY ? manySpheres(own, plain) : sphere(own, array.attitude !== undefined);
    }
  };
  const { object, meshes } = instanced(prototype(), array.bodies);
  const range = bodies.tints;
  // Neighbours of a long row just touch, if the row fills the picture.
  const fine = bounds.radius * Math.max(0.004, Math.min(0.06, 0.9 / array.along));
  const [place, turn, scale, matrix, color] = [new Vector3(), new Quaternion(), new Vector3(), new Matrix4(), new Color()];
  const [from, to] = [new Vector3(), new Vector3()];
  const pose = (k: number): void => {
    const radius = Math.abs(bodies.value("radius", k, 0, array.shape === "rod" ? 0.4 * fine : array.shape === "wheel" ? 0.2 * bounds.radius : fine));
    if (array.shape === "rod") {
      from.set(...bodies.point("from", k));
      to.set(...bodies.point("to", k));
      place.addVectors(from, to).multiplyScalar(0.5);
      const length = to.sub(from).length();
      turn.setFromUnitVectors(UP, length > 0 ? to.divideScalar(length) : UP);
      scale.set(radius, length, radius);
      return;
    }
    place.set(...bodies.point("at", k));
    turn.set(...bodies.attitude(k));
    if (array.shape === "box") scale.set(...(bodies.point("size", k).map(Math.abs) as Point));
    else if (array.shape === "wheel") scale.set(radius, Math.abs(bodies.value("width", k, 0, 0.16 * radius)), radius);
    else if (array.shape === "frame") scale.setScalar(Math.abs(bodies.value("size", k, 0, 0.1 * bounds.radius)));
    else scale.setScalar(radius);
  };
  if (colors.length > 1 && !bodies.has("tint")) for (const { mesh } of meshes) colors.forEach((one, k) => mesh.setColorAt(k, color.set(one)));
  return {
    object,
    update(_, time) {
      bodies.at(time);
      for (let k = 0; k < array.bodies; ++k) {
        pose(k);
        matrix.compose(place, turn, scale);
        if (!matrix.elements.every(Number.isFinite)) matrix.makeScale(0, 0, 0);
        for (const { mesh, own: inside } of meshes) {
          mesh.setMatrixAt(k, matrix.clone().multiply(inside));
          if (bodies.has("tint")) mesh.setColorAt(k, tinted(bodies.value("tint", k), range, muted, color));
        }
      }
      for (const { mesh } of meshes) {
        mesh.instanceMatrix.needsUpdate = true;
        if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      }
    },
  };
}

/** The paths of all bodies faintly, and what is behind them in full colour. */
function paths(array: MotionArray, index: number, motion: Motion, moments: Moments): Actor {
  const bodies = new Bodies(array, motion, moments);
  const colors = palette(array, index).map((one) => new Color(one));
  const { times } = moments;
  const [start, end] = [times[0] as number, times.at(-1) as number];
  const count = Math.max(times.length, Math.min(1500, Math.floor(PATH_POINTS / array.bodies)));
  const places = new Float32Array(6 * array.bodies * (count - 1));
  const shades = new Float32Array(places.length);
  /** The ends of segments up to each moment. */
  const ends = new Uint32Array(count);
  let [before, kept]: [Point[], number] = [[], 0];
  for (let m = 0; m < count; ++m) {
    bodies.at(start + (m / (count - 1)) * (end - start));
    const now = Array.from({ length: array.bodies }, (_, k) => bodies.point("at", k));
    before.forEach((last, k) => {
      const next = now[k] as Point;
      if (!isPlace(last) || !isPlace(next)) return;
      const { r, g, b } = colors[k % colors.length] as Color;
      places.set([...last, ...next], 3 * kept);
      shades.set([r, g, b, r, g, b], 3 * kept);
      kept += 2;
    });
    ends[m] = kept;
    before = now;
  }
  const geometry = () => new BufferGeometry().setAttribute("position", new BufferAttribute(places.subarray(0, 3 * kept), 3)).setAttribute("color", new BufferAttribute(shades.subarray(0, 3 * kept), 3));
  const whole = new LineSegments(geometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.22 }));
  const past = new LineSegments(geometry(), new LineBasicMaterial({ vertexColors: true }));
  const object = new Group();
  for (const line of [whole, past]) {
    line.frustumCulled = false;
    object.add(line);
  }
  return {
    object,
    update: (_, time) => past.geometry.setDrawRange(0, ends[Math.round(Math.min(1, Math.max(0, (time - start) / (end - start))) * (count - 1))] as number),
  };
}

function curve(array: MotionArray, index: number, motion: Motion, moments: Moments, plain: boolean): Actor {
  const bodies = new Bodies(array, motion, moments);
  const color = palette({ ...array, bodies: FEW + 1 }, index)[0] as string;
  const segments = new Float32Array(6 * (array.bodies - 1));
  const places = new BufferAttribute(segments, 3);
  const thin = new LineSegments(new BufferGeometry().setAttribute("position", places), new LineBasicMaterial({ color }));
  const wide = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ color, linewidth: 2.5 }));
  const object: Object3D = plain ? thin : wide;
  object.frustumCulled = false;
  return {
    object,
    update(_, time) {
      bodies.at(time);
      let [last, kept] = [bodies.point("at", 0), 0];
      for (let k = 1; k < array.bodies; ++k) {
        const next = bodies.point("at", k);
        if (isPlace(last) && isPlace(next)) segments.set([...last, ...next], 6 * kept++);
        last = next;
      }
      object.visible = kept > 0;
      if (plain) thin.geometry.setDrawRange(0, 2 * kept);
      else if (kept > 0) wide.geometry.setPositions(segments.subarray(0, 6 * kept));
      places.needsUpdate = true;
    },
  };
}

/** Triangles between neighbours of a grid. */
function surface(array: MotionArray, index: number, motion: Motion, moments: Moments): Actor {
  const bodies = new Bodies(array, motion, moments);
  const columns = array.columns as number;
  const rows = array.bodies / columns;
  const triangles: number[] = [];
  for (let i = 0; i + 1 < rows; ++i)
    for (let j = 0; j + 1 < columns; ++j) {
      const k = i * columns + j;
      triangles.push(k, k + columns, k + 1, k + 1, k + columns, k + columns + 1);
    }
  const drawn = new BufferAttribute(Uint32Array.from(triangles), 1);
  const geometry = new BufferGeometry().setIndex(drawn);
  const points = new Float32Array(3 * array.bodies);
  const shades = new Float32Array(3 * array.bodies);
  const known = new Uint8Array(array.bodies);
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  const many = bodies.has("tint");
  if (many) geometry.setAttribute("color", new BufferAttribute(shades, 3));
  const material = solid(many ? "#ffffff" : (palette({ ...array, bodies: FEW + 1 }, index)[0] as string));
  material.side = DoubleSide;
  material.vertexColors = many;
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.receiveShadow = mesh.castShadow = true;
  const range = bodies.tints;
  const { muted } = theme();
  const color = new Color();
  return {
    object: mesh,
    update(_, time) {
      bodies.at(time);
      for (let k = 0; k < array.bodies; ++k) {
        const point = bodies.point("at", k);
        known[k] = isPlace(point) ? 1 : 0;
        points.set(known[k] ? point : [0, 0, 0], 3 * k);
        if (many) tinted(bodies.value("tint", k), range, muted, color).toArray(shades, 3 * k);
      }
      // A triangle with a corner that is nowhere becomes a point, of which nothing is drawn.
      for (let k = 0; k < triangles.length; k += 3) {
        const corners = triangles.slice(k, k + 3);
        drawn.array.set(corners.every((corner) => known[corner]) ? corners : [0, 0, 0], k);
      }
      drawn.needsUpdate = true;
      for (const name of many ? ["position", "color"] : ["position"]) (geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
      geometry.computeVertexNormals();
    },
  };
}

/** `plain` asks for what a processor draws quickly. */
export function arrayActorOf(array: MotionArray, index: number, motion: Motion, moments: Moments, bounds: Bounds, plain: boolean): Actor {
  if (array.shape === "path") {
    const leader = motion.arrays.findIndex(({ name }) => name === array.of);
    const color = array.color ?? motion.arrays[leader]?.color;
    return paths(color === undefined ? array : { ...array, color }, leader < 0 ? index : leader, motion, moments);
  }
  if (array.shape === "curve") return curve(array, index, motion, moments, plain);
  if (array.shape === "surface") return surface(array, index, motion, moments);
  return solids(array, index, motion, moments, bounds, plain);
}

/** Calls `take` with the places of all bodies at some moments, and with how far a body reaches beyond its place: without lists, since there are many. */
export function eachPlace(motion: Motion, moments: Moments, take: (x: number, y: number, z: number, reach: number) => void): void {
  const samples = Math.min(60, moments.times.length);
  for (const array of motion.arrays) {
    const bodies = new Bodies(array, motion, moments);
    const keys: Key[] = array.shape === "rod" ? ["from", "to"] : ["at"];
    for (let m = 0; m < samples; ++m) {
      bodies.at(moments.times[Math.round((m / Math.max(1, samples - 1)) * (moments.times.length - 1))] as number);
      for (let k = 0; k < array.bodies; ++k) {
        const size = array.shape === "box" ? Math.hypot(...bodies.point("size", k)) / 2 : array.shape === "rod" ? 0 : Math.abs(bodies.value("radius", k));
        const reach = Number.isFinite(size) ? size : 0;
        for (const key of keys) take(bodies.value(key, k, 0), bodies.value(key, k, 1), bodies.value(key, k, 2), reach);
      }
    }
  }
}
