/** Families of a model with an index: values over sites and time, thinned for pictures. */

import { type Role, decodeNumber } from "./data.ts";

export interface FieldAxis {
  name: string;
  /** Numbers of the sites along an index. */
  places: number[];
}

export interface Field {
  name: string;
  role: Role;
  /** One axis, or the two axes of a grid. */
  axes: FieldAxis[];
  times: number[];
  /** Moment after moment, and row after row of a grid. */
  values: number[];
}

/** Decodes families; the values of each when they are asked for, since a page that follows a slider draws one of them. */
export function decodeFields(raw: unknown): Field[] {
  if (raw === undefined) return [];
  return (raw as (Omit<Field, "values"> & { values: ArrayLike<unknown> })[]).map((field) => {
    const sites = field.axes.reduce((count, { places }) => count * places.length, 1);
    if (field.values.length !== sites * field.times.length) throw new Error(`the report holds ${field.values.length} values of ${field.name} for ${field.times.length} moments of ${sites} sites`);
    let decoded: number[] | undefined;
    return {
      ...field,
      times: field.times.map(decodeNumber),
      get values() {
        decoded ??= Array.from(field.values, decodeNumber);
        return decoded;
      },
    };
  });
}

/** A picture of values, with its rows from bottom to top. */
export interface FieldPicture {
  x: { title: string; places: number[] };
  y: { title: string; places: number[] };
  rows: number[][];
}

/** Sites to the right and time upwards; of a grid the sites at one moment, the first index upwards. */
export function pictureOf(field: Field, time: string, moment: number): FieldPicture {
  const [first, second] = field.axes as [FieldAxis, FieldAxis?];
  const width = (second ?? first).places.length;
  const height = second ? first.places.length : field.times.length;
  const from = second ? moment * width * height : 0;
  return {
    x: { title: (second ?? first).name, places: (second ?? first).places },
    y: second ? { title: first.name, places: first.places } : { title: time, places: field.times },
    rows: Array.from({ length: height }, (_, k) => field.values.slice(from + k * width, from + (k + 1) * width)),
  };
}
