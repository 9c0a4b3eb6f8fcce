/** Values as cells of a picture. */

import { el } from "../page/dom.ts";
import { type Shading, shade } from "./shades.ts";

const LEVELS = 1024;
/** Red, green, blue and opacity of a pixel in four bytes, one after the other. */
const SHADES = Uint32Array.from({ length: LEVELS }, (_, k) => new Uint32Array(Uint8Array.of(...shade(k / (LEVELS - 1)), 255).buffer)[0] as number);

/** A canvas with one pixel for each value, the first row at the bottom; a pixel is transparent if there is no number. */
export function paintedCells(rows: readonly (readonly number[])[], { low, high, of }: Shading): HTMLCanvasElement {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const canvas = el("canvas", { width, height });
  const context = canvas.getContext("2d");
  if (!context || width === 0 || height === 0) return canvas;
  const pixels = context.createImageData(width, height);
  const colors = new Uint32Array(pixels.data.buffer);
  const scale = (LEVELS - 1) / (high - low);
  rows.forEach((row, j) => {
    let at = (height - 1 - j) * width;
    for (let k = 0; k < row.length; ++k, ++at) {
      const value = row[k] as number;
      if (Number.isFinite(value)) colors[at] = SHADES[Math.round(Math.min(LEVELS - 1, Math.max(0, (of(value) - low) * scale)))] as number;
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
