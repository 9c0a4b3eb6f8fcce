import assert from "node:assert/strict";
import { test } from "node:test";
import type { BufferGeometry, Group, InstancedMesh, LineSegments, Mesh, Object3D } from "three";
import type { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { arrayActorOf, eachPlace } from "../src/motion/arrays.ts";
import { Moments } from "../src/motion/moments.ts";
import { attitudeOf, boundsOf } from "../src/motion/poses.ts";
import { Tape } from "../src/motion/tape.ts";
import { rowBefore, valueAt } from "../src/run/interpolate.ts";
import { type Motion, type MotionArray, type SiteComponent, decodeMotion } from "../src/run/motion.ts";

const times = Array.from({ length: 41 }, (_, k) => 0.25 * k);

test("columns between rows follow a smooth curve, forwards and backwards", () => {
  const values = times.map((t) => Math.sin(t));
  for (const t of [0.1, 3.3, 9.9]) assert.ok(Math.abs(valueAt(times, values, rowBefore(times, t), t) - Math.sin(t)) < 2e-3);
  assert.equal(valueAt(times, values, 3, 0.75), Math.sin(0.75));
  const back = [...times].reverse();
  assert.equal(rowBefore(back, 9.9), 0);
  assert.ok(Math.abs(valueAt(back, back.map((t) => t * t), rowBefore(back, 3.3), 3.3) - 3.3 * 3.3) < 1e-12);
});

test("operations give what they name, and nothing else is done", () => {
  const tape = new Tape([["number", 2], ["column", "q"], ["mul", 0, 1], ["cos", 2], ["add", 3, 0, 0], ["pow", 4, 0], ["select", 0, 1, 5, 3], ["atan2", 1, 0]], times, (name) => (name === "q" ? times : undefined));
  const values = tape.evaluate(1.5);
  assert.deepEqual([...values].map((value) => Number(value.toFixed(12))), [2, 1.5, 3, Math.cos(3), Math.cos(3) + 4, (Math.cos(3) + 4) ** 2, (Math.cos(3) + 4) ** 2, Math.atan2(1.5, 2)].map((value) => Number(value.toFixed(12))));
  assert.ok(tape.varies(3) && !tape.varies(0));
  assert.throws(() => new Tape([["column", "p"]], times, () => undefined), /needs the column p/);
  assert.throws(() => new Tape([["alert", 0]], times, () => undefined), /does not know/);
});

test("a matrix and a quaternion are the same attitude", () => {
  const q = [0.1, 0.7, -0.5, Math.sqrt(1 - 0.01 - 0.49 - 0.25)] as const;
  const [w, x, y, z] = q;
  const matrix = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  const values = Float64Array.from([...matrix, ...q]);
  const of = attitudeOf(values, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const plain = attitudeOf(values, [9, 10, 11, 12]);
  const sign = Math.sign((of[3] ?? 0) * (plain[3] ?? 0));
  of.forEach((component, k) => assert.ok(Math.abs(sign * component - (plain[k] as number)) < 1e-12));
});

test("the picture reaches as far as its bodies and what is on them", () => {
  const motion = decodeMotion({
    operations: [["number", "Infinity"], ["column", "q"], ["number", 0], ["number", 3]],
    bodies: [
      { name: "bob", shape: "sphere", at: [1, 2, 2], radius: [3] },
      { name: "arm", shape: "rod", on: "bob", from: [2, 2, 2], to: [2, 3, 2] },
      { name: "lost", shape: "sphere", at: [0, 2, 2] },
    ],
  }) as Motion;
  const bounds = boundsOf(motion, new Tape(motion.operations, times, () => times));
  assert.deepEqual(bounds.low, [-3, -3, -3]);
  assert.deepEqual(bounds.high, [13, 3, 3]);
  assert.equal(decodeMotion(null), undefined);
});

Object.assign(globalThis, { document: { documentElement: { dataset: { theme: "light" } } } });

const NOWHERE = Number.NaN;
const bounds = { low: [0, 0, 0], high: [1, 1, 1], radius: 1, middle: [0, 0, 0] } as Parameters<typeof arrayActorOf>[4];
const fixed = (...values: number[]): SiteComponent => ({ bodies: values.length, moments: 1, values: Float32Array.from(values) });

/** An array of bodies whose places, radii and colours are those components, at two moments. */
function pictured(array: Partial<MotionArray>, bodies: number, components: SiteComponent[], plain = true) {
  const whole = { name: "bodies", bodies, along: bodies, at: [0, 1, 2], ...array } as MotionArray;
  const motion: Motion = { bodies: [], arrays: [whole], components, moments: [0, 1], operations: [], columns: [] };
  const moments = new Moments(motion.moments);
  return { motion, moments, actor: arrayActorOf(whole, 0, motion, moments, bounds, plain) };
}

/** The ends of the segments that are drawn. */
function ends(object: Object3D): number[][] {
  const { geometry } = object as LineSegments<BufferGeometry>;
  const all = geometry.getAttribute("position");
  const count = Math.min(all.count, geometry.drawRange.count);
  return Array.from({ length: count }, (_, k) => [all.getX(k), all.getY(k), all.getZ(k)]);
}

test("a curve leaves out the segments to a place that is not a number", () => {
  const components = [fixed(1, 2, NOWHERE, 4, 5), fixed(7, 7, 7, 7, 7), fixed(9, 9, 9, 9, 9)];
  const thin = pictured({ shape: "curve" }, 5, components).actor;
  thin.update(new Float64Array(), 0);
  assert.deepEqual(ends(thin.object), [[1, 7, 9], [2, 7, 9], [4, 7, 9], [5, 7, 9]]);
  const wide = pictured({ shape: "curve" }, 5, components, false).actor;
  wide.update(new Float64Array(), 0);
  const geometry = (wide.object as Mesh).geometry as unknown as LineSegmentsGeometry;
  assert.equal(geometry.instanceCount, 2);
  assert.equal(geometry.getAttribute("instanceStart").getX(1), 4);
  const lost = pictured({ shape: "curve" }, 2, [fixed(1, NOWHERE), fixed(0, 0), fixed(0, 0)], false).actor;
  lost.update(new Float64Array(), 0);
  assert.equal(lost.object.visible, false);
});

test("paths leave out the segments to a place that is not a number, and end where the time is", () => {
  const { actor } = pictured({ shape: "path" }, 2, [fixed(3, 4), fixed(3, 4), fixed(3, NOWHERE)]);
  const [whole, past] = (actor.object as Group).children as [Object3D, Object3D];
  const segments = 1499;
  assert.equal(ends(whole).length, 2 * segments);
  for (const place of ends(whole)) assert.deepEqual(place, [3, 3, 3]);
  actor.update(new Float64Array(), 0);
  assert.equal(ends(past).length, 0);
  actor.update(new Float64Array(), 0.5);
  assert.equal(ends(past).length, 2 * Math.round(0.5 * segments));
  actor.update(new Float64Array(), 1);
  assert.equal(ends(past).length, 2 * segments);
});

test("a surface leaves out the triangles at a place that is not a number", () => {
  const [x, y] = [[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]] as const;
  const { actor } = pictured({ shape: "surface", columns: 3 }, 6, [fixed(...x), fixed(...y), fixed(5, 5, 5, 5, 5, NOWHERE)]);
  actor.update(new Float64Array(), 0);
  const { geometry } = actor.object as Mesh;
  const index = [...(geometry.index?.array as Uint32Array)];
  assert.deepEqual(index, [0, 3, 1, 1, 3, 4, 1, 4, 2, 0, 0, 0]);
  const normals = geometry.getAttribute("normal");
  for (let k = 0; k < 5; ++k) assert.equal(Math.abs(normals.getZ(k)), 1);
});

test("a body without a number for its colour is grey, and one without a radius leaves the picture as large as it is", () => {
  const tinted = pictured({ shape: "sphere", tint: [3] }, 2, [fixed(0, 1), fixed(0, 0), fixed(0, 0), fixed(NOWHERE, 1)]).actor;
  tinted.update(new Float64Array(), 0);
  const colors = ((tinted.object as Group).children[0] as InstancedMesh).instanceColor?.array as Float32Array;
  assert.ok(colors.every(Number.isFinite));
  const { motion, moments } = pictured({ shape: "sphere", radius: [3] }, 2, [fixed(0, 4), fixed(0, 0), fixed(0, 0), fixed(NOWHERE, 1)]);
  assert.equal(boundsOf(motion, new Tape([], [0, 1], () => undefined), (take) => eachPlace(motion, moments, take)).high[0], 5);
});
