/** Numbers as a reader wants them; the full precision stays in the data. */

const SUPERSCRIPTS: Record<string, string> = {
  "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹",
};

const superscript = (exponent: number): string => [...String(exponent)].map((c) => SUPERSCRIPTS[c]).join("");

const withMinus = (text: string): string => text.replace("-", "−");

/** Returns `digits` significant digits, written as 1.23 × 10⁻⁹ if the plain form would be long. */
export function formatNumber(value: number, digits = 6): string {
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < Math.max(digits, 6)) return withMinus(String(Number(value.toPrecision(digits))));
  const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const times = trimmed === "1" ? "" : trimmed === "-1" ? "−" : `${withMinus(trimmed)} × `;
  return `${times}10${superscript(power)}`;
}

/** A residual: two significant digits, always as a power of ten unless exactly zero. */
export function formatResidual(value: number): string {
  if (!Number.isFinite(value) || value === 0) return formatNumber(value);
  const [mantissa, exponent] = value.toExponential(1).split("e") as [string, string];
  return `${withMinus(mantissa)} × 10${superscript(Number(exponent))}`;
}

/** Whole numbers with thin spaces between groups of three. */
export const formatCount = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");

export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return "not recorded";
  if (seconds < 1e-3) return `${formatNumber(seconds * 1e6, 3)} µs`;
  if (seconds < 1) return `${formatNumber(seconds * 1e3, 3)} ms`;
  if (seconds < 120) return `${formatNumber(seconds, 3)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export const GAUGE_DECADES: [number, number] = [-18, 0];

/** Returns the place of a residual on a logarithmic gauge from 10⁻¹⁸ to 1, as a fraction of its length. */
export function gaugePosition(residual: number): number {
  if (!Number.isFinite(residual)) return 1;
  const [low, high] = GAUGE_DECADES;
  const at = residual === 0 ? low : Math.log10(Math.abs(residual));
  return Math.min(1, Math.max(0, (at - low) / (high - low)));
}
