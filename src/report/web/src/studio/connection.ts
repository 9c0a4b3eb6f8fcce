/** The connection to the program: JSON both ways, and runs as one head of JSON with columns of doubles, pictures of families as floats, and components of motions in two bytes, behind it. */

import { type Run, runOf } from "../run/data.ts";

export interface Hello {
  kind: "hello";
  version: string;
  gallery: { name: string; title: string }[];
  methods: string[];
  file: string;
  saves: boolean;
  text: string;
}

export interface Fault {
  kind: "error";
  id: number;
  what: string;
  remedy: string;
  line: number;
  column: number;
}

/** Of a problem of control, which has no run. */
export interface Problem {
  kind: "problem";
  id: number;
  name: string;
  title: string;
}

/** Progress of a job: members of a sweep, or iterations (`of` is 0). */
export interface Progress {
  kind: "progress";
  id: number;
  done: number;
  of: number;
  failed: number;
}

/** The report of a job, at an address of the studio. */
export interface Result {
  kind: "result";
  id: number;
  good: boolean;
  what: string;
  seconds: number;
  name: string;
  path: string;
}

export interface Failed extends Omit<Fault, "kind"> {
  kind: "failed";
}

export type Answer =
  | Hello
  | Fault
  | { kind: "equations"; latex: string; why: string }
  | { kind: "model"; name: string; text: string }
  | Problem
  | { kind: "report"; name: string; html: string }
  | Progress
  | Result
  | Failed
  | { kind: "ended"; id: number }
  | { kind: "saved"; file: string }
  | { kind: "unsaved"; what: string };

export interface Arrival {
  id: number;
  run: Run;
  milliseconds: number;
  /** The share of the duration that a beginning covers, behind which the whole run follows. */
  part?: number;
  /** Changes for which the text has no names, as after it was edited. */
  unknown: readonly string[];
  /** Whether the equations of the text are still to come. */
  typesetting: boolean;
  /** Milliseconds of the parts of a request: in the program to read the text, set the values, run, and pack the rows; in the page to unpack them. */
  stages: Record<string, number>;
}

/** A run that is asked for: a text, values that differ from it, and a method ("" for that of the text). */
export interface Wish {
  text: string;
  changes: Record<string, number>;
  method: string;
  /** The values that changed last. */
  newest?: string[];
  /** Sites of a model with an index that have curves, written as `columns` in a model; if the list is empty, the program chooses sites. */
  columns?: string[];
}

export function decodeArrival(buffer: ArrayBuffer): Arrival {
  const began = performance.now();
  const length = new DataView(buffer).getUint32(0, true);
  const { id, drawn, milliseconds, part, unknown, typesetting, stages, run } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = Math.ceil((4 + length) / 8) * 8;
  run.columns.forEach((column: { values?: number[] }, k: number) => {
    column.values = [...new Float64Array(buffer, start + 8 * drawn * k, drawn)];
  });
  let at = start + 8 * drawn * run.columns.length;
  for (const field of run.fields ?? []) {
    const count = field.axes.reduce((product: number, { places }: { places: number[] }) => product * places.length, field.times.length);
    field.values = new Float32Array(buffer, at, count);
    at += 4 * count;
  }
  for (const component of run.motion?.components ?? []) {
    component.data = new Uint16Array(buffer, at, component.bodies * component.moments);
    at += component.data.byteLength;
  }
  const decoded = runOf(run);
  return { id, run: decoded, milliseconds, unknown, typesetting, ...(part === undefined ? {} : { part }), stages: { ...stages, unpack: performance.now() - began } };
}

export interface Listener {
  answer(answer: Answer): void;
  arrival(arrival: Arrival): void;
  closed(): void;
}

/** The name of a frame in which another program, such as a notebook, shows the studio: its messages go through that program. */
export const STUDIO_FRAME = "herglotz-studio";

export const isFramed = (): boolean => window.name === STUDIO_FRAME;

/** A way to the program. */
interface Way {
  send(message: object): void;
}

function socketWay(take: (data: string | ArrayBuffer) => void, closed: () => void): Way {
  const socket = new WebSocket(`ws://${location.host}/ws`);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => take(data));
  socket.addEventListener("close", closed);
  return { send: (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)) };
}

function frameWay(take: (data: string | ArrayBuffer) => void): Way {
  const { parent } = window;
  window.addEventListener("message", ({ source, data }) => source === parent && (typeof data === "string" || data instanceof ArrayBuffer) && take(data));
  const send = (message: object) => parent.postMessage(message, "*");
  // The page listens before it asks for its model.
  queueMicrotask(() => send({ kind: "hello" }));
  return { send };
}

/** One run is on its way at a time; of wishes that wait the newest wins. */
export class Connection {
  private readonly way: Way;
  private next = 1;
  private running = 0;
  /** Answers to earlier requests are of another model, and go to nobody. */
  private first = 1;
  private waiting: Wish | undefined;
  /** True if the beginning of the run that is on its way has arrived. */
  private begun = false;

  constructor(private readonly listener: Listener) {
    const take = (data: string | ArrayBuffer) => this.take(data);
    this.way = isFramed() ? frameWay(take) : socketWay(take, () => listener.closed());
  }

  private take(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      const answer: Answer = JSON.parse(data);
      if ((answer.kind === "error" && answer.id !== 0) || answer.kind === "problem") {
        this.ended(answer.id);
        if (answer.id < this.first) return;
      }
      this.listener.answer(answer);
      return;
    }
    const arrival = decodeArrival(data);
    if (arrival.part === undefined) this.ended(arrival.id);
    else if (arrival.id === this.running) {
      this.begun = true;
      this.runWaiting();
    }
    if (arrival.id >= this.first) this.listener.arrival(arrival);
  }

  private ended(id: number): void {
    if (id !== this.running) return;
    this.running = 0;
    this.runWaiting();
  }

  private runWaiting(): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) this.run(waiting);
  }

  /** A run that takes long is given up for a newer wish, and at once where its beginning is shown. */
  run(wish: Wish, now = false): void {
    if (this.running !== 0 && !this.begun && !now) {
      this.waiting = wish;
      const { running } = this;
      setTimeout(() => {
        if (this.running === running && this.waiting === wish) this.run(wish, true);
      }, 120);
      return;
    }
    this.waiting = undefined;
    this.begun = false;
    this.running = this.next++;
    this.send({ kind: "run", id: this.running, ...wish });
  }

  /** Another model is opened: answers to what was asked for so far are not passed on. */
  forget(): void {
    this.first = this.next;
    this.waiting = undefined;
  }

  /** True if an answer is still to come. */
  get busy(): boolean {
    return this.running !== 0;
  }

  send(message: object): void {
    this.way.send(message);
  }
}
