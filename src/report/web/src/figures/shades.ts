/** The colours of values: viridis, even in lightness, readable in grey and with any kind of colour vision. */

import { RESIDUAL_FLOOR, type Role, extent } from "../run/data.ts";

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

/** What is drawn of a column: values, or for residuals powers of ten of their magnitudes. */
export interface Shading {
  logarithmic: boolean;
  low: number;
  high: number;
  /** The number that is drawn for a value. */
  of: (value: number) => number;
}

export const isResidual = (role: Role | undefined): boolean => role === "residual" || role === "constraint";

/** Values that agree to nine digits get one colour, and not those of their round-off. */
export function shadingOf(values: readonly number[], role: Role | undefined): Shading {
  const logarithmic = isResidual(role);
  const of = (value: number) => (logarithmic ? Math.log10(Math.max(Math.abs(value), RESIDUAL_FLOOR)) : value);
  const [low, high] = extent(values.map(of)) ?? [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > 1e-9 * size) return { logarithmic, low, high, of };
  const room = size === 0 ? 1 : 0.05 * size;
  return { logarithmic, low: low - room, high: high + room, of };
}
