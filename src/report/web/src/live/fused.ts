/** Fused multiply-add of numbers that are too large or too small for the module's own. */

/** A finite number as m 2^e. */
function partsOf(value: number): [bigint, number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0 ? fraction : fraction | (1n << 52n);
  return [value < 0 ? -size : size, Math.max(exponent, 1) - 1075];
}

/** m 2^e rounded to nearest, ties to even. */
function rounded(m: bigint, e: number): number {
  const size = m < 0n ? -m : m;
  const last = Math.max(e + size.toString(2).length - 53, -1074);
  const shift = BigInt(Math.max(last - e, 0));
  const half = (1n << shift) >> 1n;
  const rest = size & ((1n << shift) - 1n);
  let kept = size >> shift;
  if (rest > half || (rest === half && half > 0n && (kept & 1n) === 1n)) kept += 1n;
  const power = Math.max(last, e);
  const value = power > 971 ? Infinity : Number(kept) * 2 ** power;
  return m < 0n ? -value : value;
}

/** x y + z rounded once. */
export function fused(x: number, y: number, z: number): number {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return x * y + z;
  if (!Number.isFinite(z)) return z;
  if (x === 0 || y === 0) return x * y + z;
  const [[a, d], [b, e], [c, f]] = [partsOf(x), partsOf(y), partsOf(z)];
  const low = Math.min(d + e, f);
  const sum = ((a * b) << BigInt(d + e - low)) + (c << BigInt(f - low));
  if (sum !== 0n) return rounded(sum, low);
  return 0;
}
