/** Values as cells of a picture. */

import { el } from "../page/dom.ts";
import type { Cells } from "../run/fields.ts";
import { type Shading, shade } from "./shades.ts";

const LEVELS = 1024;
/** Red, green, blue and opacity of a pixel in four bytes, one after the other. */
const SHADES = Uint32Array.from({ length: LEVELS }, (_, k) => new Uint32Array(Uint8Array.of(...shade(k / (LEVELS - 1)), 255).buffer)[0] as number);

/** A canvas, or the one that is given, with one pixel for each value, the first row at the bottom; a pixel is transparent if there is no number. */
export function paintedCells({ values, from, across, up, width, height }: Cells, shading: Shading, canvas = el("canvas")): HTMLCanvasElement {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  // The processor paints the pixels: to hand them to a graphics card and back takes longer.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context || width === 0 || height === 0) return canvas;
  const pixels = context.createImageData(width, height);
  const colors = new Uint32Array(pixels.data.buffer);
  const { low, high, of } = shading;
  const scale = (LEVELS - 1) / (high - low);
  for (let j = 0; j < height; ++j) {
    let [at, place] = [(height - 1 - j) * width, from + j * up];
    for (const end = at + width; at < end; ++at, place += across) {
      const value = values[place] as number;
      if (!Number.isFinite(value)) continue;
      const level = ((shading.logarithmic ? of(value) : value) - low) * scale;
      colors[at] = SHADES[level <= 0 ? 0 : level >= LEVELS - 1 ? LEVELS - 1 : Math.round(level)] as number;
    }
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

/** Returns the range from edge to edge of the cells of places. */
export function edgesOf(places: readonly number[]): [number, number] {
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const half = places.length > 1 ? (last - first) / (places.length - 1) / 2 : 0.5;
  return [first - half, last + half];
}
