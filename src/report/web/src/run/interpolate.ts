/** Columns between their rows: cubics whose slopes at a row are those of the parabola through it and its neighbours. */

type Numbers = ArrayLike<number>;

/** The row whose interval holds the time; times ascend, or descend in a run backwards. */
export function rowBefore(times: Numbers, time: number): number {
  const last = times.length - 1;
  const ascending = (times[last] as number) >= (times[0] as number);
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time === ascending) low = middle;
    else high = middle;
  }
  return low;
}

function slope(times: Numbers, values: Numbers, row: number): number {
  const last = times.length - 1;
  const secant = (k: number) => ((values[k + 1] as number) - (values[k] as number)) / ((times[k + 1] as number) - (times[k] as number));
  if (last === 1) return secant(0);
  const middle = Math.min(Math.max(row, 1), last - 1);
  const bend = (secant(middle) - secant(middle - 1)) / ((times[middle + 1] as number) - (times[middle - 1] as number));
  return secant(middle - 1) + bend * ((times[middle] as number) - (times[middle - 1] as number) + 2 * ((times[row] as number) - (times[middle] as number)));
}

/** The value at a time within the interval after `row`. */
export function valueAt(times: Numbers, values: Numbers, row: number, time: number): number {
  if (times.length < 2) return values[0] ?? Number.NaN;
  const h = (times[row + 1] as number) - (times[row] as number);
  const s = (time - (times[row] as number)) / h;
  const r = 1 - s;
  const [a, b] = [values[row] as number, values[row + 1] as number];
  if (s <= 0) return a;
  if (s >= 1) return b;
  return r * r * (1 + 2 * s) * a + s * s * (3 - 2 * s) * b + h * (r * r * s * slope(times, values, row) - s * s * r * slope(times, values, row + 1));
}
