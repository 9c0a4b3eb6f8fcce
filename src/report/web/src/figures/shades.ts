/** The colours of values: viridis, even in lightness, readable in grey and with any kind of colour vision. */

import { formatNumber } from "../page/format.ts";
import { RESIDUAL_FLOOR, type Role, extent, spansDecades } from "../run/data.ts";

const STOPS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];

export const COLOR_SCALE: [number, string][] = STOPS.map((color, i) => [i / (STOPS.length - 1), color]);

const channels = STOPS.map((color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)));

/** Red, green and blue of a place between 0 and 1. */
export function shade(place: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, place)) * (STOPS.length - 1);
  const below = Math.min(STOPS.length - 2, Math.floor(at));
  const mix = (k: number) => {
    const [from, to] = [channels[below]?.[k] as number, channels[below + 1]?.[k] as number];
    return Math.round(from + (at - below) * (to - from));
  };
  return [mix(0), mix(1), mix(2)];
}

/** The numbers that are drawn of a column: values, or powers of ten of their magnitudes. */
export interface Shading {
  logarithmic: boolean;
  /** True for magnitudes of residuals, whose sign has no meaning. */
  magnitude: boolean;
  low: number;
  high: number;
  /** The number that is drawn for a value. */
  of: (value: number) => number;
}

export const isResidual = (role: Role | undefined): boolean => role === "residual" || role === "constraint";

/** Decades between the values, and half of them in the lowest fifth of their range: a logarithmic scale shows more. */
export const crowdsTheLow = (values: ArrayLike<number>): boolean => {
  if (!spansDecades(values)) return false;
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  return (sorted[sorted.length >> 1] as number) < 0.2 * (sorted.at(-1) as number);
};

/** As many different values may be steps of a range; more come from a run. */
const FEW = 10_000;

/** Returns whether the different values, if few, stand in equal ratios that are not equal steps: a logarithmic range. */
export function inEqualRatios(values: ArrayLike<number>): boolean {
  const different = new Set<number>();
  for (let k = 0; k < values.length; ++k) {
    if (!((values[k] as number) > 0) || different.size > FEW) return false;
    different.add(values[k] as number);
  }
  return different.size >= 3 && equalRatios([...different].sort((a, b) => a - b));
}

/** Returns whether the ratios of neighbours are equal. */
export function equalRatios(values: readonly number[]): boolean {
  if (values.length < 3 || values.some((value) => !(value > 0))) return false;
  return equallySpaced(values.map(Math.log));
}

/** Returns whether the steps between the values are equal to nine digits. */
export function equallySpaced(values: readonly number[]): boolean {
  const step = (values[1] ?? 1) - (values[0] ?? 0);
  const size = Math.max(...values.map(Math.abs), Math.abs(step));
  return step !== 0 && values.every((value, i) => Math.abs(value - (values[0] as number) - i * step) <= 1e-9 * size);
}

/** Returns the ticks of a range in powers of ten: whole powers, and 2 and 5 times a power if these are too few. */
export function powerTicks(low: number, high: number): { tickmode: "array"; tickvals: number[]; ticktext: string[] } {
  const powers = Array.from({ length: Math.max(0, Math.floor(high) - Math.floor(low) + 1) }, (_, i) => Math.floor(low) + i);
  const factors = high - low < 2.5 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((high - low) / 7));
  const tickvals = powers
    .filter((_, i) => i % every === 0)
    .flatMap((power) => factors.map((factor) => power + Math.log10(factor)))
    .filter((at) => at >= low - 1e-9 && at <= high + 1e-9);
  return { tickmode: "array", tickvals, ticktext: tickvals.map((at) => formatNumber(10 ** at, 1)) };
}

/** Returns how values are drawn. Values that agree to nine digits get one colour; otherwise their round-off would fill the scale. */
export function shadingOf(values: ArrayLike<number>, role: Role | undefined): Shading {
  const magnitude = isResidual(role);
  const logarithmic = magnitude || crowdsTheLow(values) || inEqualRatios(values);
  const of = (value: number) => (magnitude ? Math.log10(Math.max(Math.abs(value), RESIDUAL_FLOOR)) : logarithmic ? Math.log10(value) : value);
  const [low, high] = extent(logarithmic ? Float64Array.from(values, of) : values) ?? [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > 1e-9 * size) return { logarithmic, magnitude, low, high, of };
  const room = size === 0 ? 1 : 0.05 * size;
  return { logarithmic, magnitude, low: low - room, high: high + room, of };
}
