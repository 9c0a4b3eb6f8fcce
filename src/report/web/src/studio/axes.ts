/** Axes around curves and maps, drawn with a pen. */

import { formatNumber } from "../page/format.ts";
import { theme } from "../page/theme.ts";
import type { Pen } from "./svgpen.ts";

export interface Margin {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A range of values, and the places at which they lie. */
export interface Scale {
  low: number;
  high: number;
  at: (value: number) => number;
}

/** The scales of a rectangle of a picture, to the right and upwards. */
export function scalesOf([left, right]: [number, number], [low, high]: [number, number], margin: Margin, width: number, height: number): { x: Scale; y: Scale } {
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
  return {
    x: { low: left, high: right, at: (value) => margin.left + ((value - left) / (right - left || 1)) * inner.width },
    y: { low, high, at: (value) => margin.top + (1 - (value - low) / (high - low)) * inner.height },
  };
}

/** Round numbers within a range, which may run downwards, about `count` of them. */
export function ticks(from: number, to: number, count: number): number[] {
  const [low, high] = from < to ? [from, to] : [to, from];
  const power = 10 ** Math.floor(Math.log10((high - low) / count));
  const rest = (high - low) / count / power;
  const step = power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, k) => (first + k) * step);
}

/** Draws levels with their values, and values and name of what lies to the right. Of powers of ten only whole ones are named. */
export function drawAxes(context: Pen, x: Scale, y: Scale, name: string, powers: boolean): void {
  const { grid, muted } = theme();
  const [left, right, bottom] = [x.at(x.low), x.at(x.high), y.at(y.low)];
  context.strokeStyle = grid;
  context.fillStyle = muted;
  context.font = "12px system-ui, sans-serif";
  context.lineWidth = 1;
  context.setLineDash([]);
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const level of ticks(y.low, y.high, 5).filter((one) => !powers || Number.isInteger(one))) {
    context.beginPath();
    context.moveTo(left, y.at(level));
    context.lineTo(right, y.at(level));
    context.stroke();
    context.fillText(formatNumber(powers ? Number(`1e${level}`) : level, 3), left - 8, y.at(level));
  }
  context.textAlign = "center";
  context.textBaseline = "top";
  const count = Math.max(3, Math.floor((right - left) / 90));
  for (const place of ticks(x.low, x.high, count).filter((one) => x.at(one) < right - 30)) context.fillText(formatNumber(place, 4), x.at(place), bottom + 8);
  context.textAlign = "right";
  context.fillText(name, right, bottom + 8);
}
