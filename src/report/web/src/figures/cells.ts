/** Values as cells of a picture. */

import { el } from "../page/dom.ts";
import { type Shading, shade } from "./shades.ts";

const LEVELS = 1024;
const SHADES = Array.from({ length: LEVELS }, (_, k) => shade(k / (LEVELS - 1)));

/** A canvas with one pixel for each value, the first row at the bottom; a pixel is transparent if there is no number. */
export function paintedCells(rows: readonly (readonly number[])[], { low, high, of }: Shading): HTMLCanvasElement {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const canvas = el("canvas", { width, height });
  const context = canvas.getContext("2d");
  if (!context || width === 0 || height === 0) return canvas;
  const pixels = context.createImageData(width, height);
  rows.forEach((row, j) => {
    let at = 4 * (height - 1 - j) * width;
    for (const value of row) {
      if (Number.isFinite(value)) {
        const level = Math.round(Math.min(1, Math.max(0, (of(value) - low) / (high - low))) * (LEVELS - 1));
        const [red, green, blue] = SHADES[level] as [number, number, number];
        pixels.data[at] = red;
        pixels.data[at + 1] = green;
        pixels.data[at + 2] = blue;
        pixels.data[at + 3] = 255;
      }
      at += 4;
    }
  });
  context.putImageData(pixels, 0, 0);
  return canvas;
}

/** Returns the range from edge to edge of the cells of places. */
export function edgesOf(places: readonly number[]): [number, number] {
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const half = places.length > 1 ? (last - first) / (places.length - 1) / 2 : 0.5;
  return [first - half, last + half];
}
