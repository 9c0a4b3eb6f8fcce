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
  values: ArrayLike<number>;
}

/** Decodes families; values that are no floats when they are asked for, since one family is drawn at a time. */
export function decodeFields(raw: unknown): Field[] {
  if (raw === undefined) return [];
  return (raw as (Omit<Field, "values"> & { values: ArrayLike<unknown> })[]).map((field) => {
    const sites = field.axes.reduce((count, { places }) => count * places.length, 1);
    if (field.values.length !== sites * field.times.length) throw new Error(`the report holds ${field.values.length} values of ${field.name} for ${field.times.length} moments of ${sites} sites`);
    let decoded: ArrayLike<number> | undefined = field.values instanceof Float32Array ? field.values : undefined;
    return {
      ...field,
      times: field.times.map(decodeNumber),
      get values() {
        decoded ??= Float64Array.from(field.values, decodeNumber);
        return decoded;
      },
    };
  });
}

/** Values as the cells of a picture: that of column k and row j, counted from the bottom, is values[from + k across + j up]. */
export interface Cells {
  values: ArrayLike<number>;
  from: number;
  across: number;
  up: number;
  width: number;
  height: number;
}

/** A picture of values. */
export interface FieldPicture {
  x: { title: string; places: number[] };
  y: { title: string; places: number[] };
  cells: Cells;
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
    cells: { values: field.values, from, across: 1, up: width, width, height },
  };
}
