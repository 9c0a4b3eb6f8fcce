/** The motion's own machine code in this page: a WebAssembly module with one memory. */

import type { Motion, Operation } from "../run/motion.ts";
import type { Break } from "./breaks.ts";
import { fused } from "./fused.ts";

/** An expression that gives an initial value. */
export interface Follower {
  name: string;
  kernel: number;
}

/** The content of simulate::LiveMotion::Constraints: numbers of kernels, and the places of the entries of a sparse matrix. */
export interface ConstraintKernels {
  m: number;
  positions: number;
  /** True if multipliers are part of the state. */
  differential: boolean;
  position_uses_action: boolean;
  forces_use_velocity: boolean;
  laws_use_multipliers: boolean;
  equation: number[];
  stage: number;
  stage_jacobian: number;
  row: number[];
  col: number[];
  values: number;
  position?: number;
}

/** A watched function; `direction` is -1 for falling, 1 for rising, and 0 for both. */
export interface LiveEvent {
  name: string;
  direction: number;
  stop: boolean;
  /** Entries of the state that the event sets, and the outputs of the events' kernel that are their new values. */
  resets: { entry: number; output: number }[];
}

/** The content of simulate::LiveMotion. */
export interface Live {
  method: string;
  module: string;
  data: number;
  work: number;
  n: number;
  r: number;
  state: string[];
  factor: boolean;
  laws: number;
  budgets: number[];
  law_names: string[];
  dissipated: string[];
  invariants: string[];
  observables: number;
  followers: Follower[];
  constraints?: ConstraintKernels;
  events: LiveEvent[];
  watched: number;
  /** The outputs of that kernel: the functions of all events, then those of the resets. */
  functions: number;
  /** Comparisons of the equations. Their modes are parameters behind those of the model; their functions follow those of the events, and `piece_balance` is the kernel of the laws that reads the modes. */
  switches: { text: string; rounds: boolean }[];
  piece_balance: number;
  /** The events whose losses are columns, in their order. */
  losses: number[];
  /** The kernel of the rates, if there are constraints or events. */
  rates: number;
  /** True if that kernel ends with the multipliers, false if it ends with a linear system for accelerations and multipliers. */
  eliminated: boolean;
  /** Times at which pieces of inputs meet. */
  breaks: Break[];
  /** Doubles that all kernels together read and write. */
  numbers: number;
  step?: number;
  tolerance: number;
  local: number;
  order: number;
  every: number;
  interval: number;
  times: number[];
  /** The view with its parameters as columns, and with the rates of bodies that are carried along. */
  motion?: LiveView;
}

/** A body of which only rates are stated: attitude and place follow from them. */
export interface Rates {
  spin?: number[];
  drift?: number[];
  /** Rates are along the axes of space. */
  space?: boolean;
}

export interface LiveView extends Omit<Motion, "bodies" | "arrays" | "components" | "moments"> {
  bodies: (Motion["bodies"][number] & Rates)[];
  operations: Operation[];
}

type Kernel = (context: number, u: number, p: number, out: number, work: number) => void;
type Loop = (context: number, lane: number, p: number, control: number, work: number) => void;

const PAGE = 65536;
const STACK = 1 << 20;

/** A stretch of the module's memory. */
export interface Stretch {
  address: number;
  values: Float64Array;
}

export class Module {
  private top: number;
  readonly work: Stretch;
  readonly loop: Loop;

  private constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly functions: WebAssembly.Exports,
    begin: number,
    work: number,
  ) {
    this.top = begin;
    this.loop = functions.loop as Loop;
    this.work = this.stretch(work);
  }

  /** The module with memory for as many parameters. */
  static async of(live: Live, parameters: number): Promise<Module> {
    const bytes = Uint8Array.from(atob(live.module), (letter) => letter.charCodeAt(0));
    const stack = Math.ceil(live.data / 16) * 16 + STACK;
    const room = 8 * (live.work + parameters + live.switches.length + 2 * live.numbers + 10 * (live.state.length + live.laws) + 256);
    const memory = new WebAssembly.Memory({ initial: Math.ceil((stack + room) / PAGE) + 1 });
    const { instance } = await WebAssembly.instantiate(bytes, {
      env: { __linear_memory: memory, __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, stack), fused_rest: fused },
    });
    return new Module(memory, instance.exports, stack, live.work);
  }

  /** Memory for numbers; the module keeps it. */
  stretch(count: number): Stretch {
    const address = this.top;
    this.top += 8 * Math.max(count, 1);
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) throw new Error("the memory of the motion is too small");
    return { address, values: new Float64Array(this.memory.buffer, address, count) };
  }

  view(stretch: Stretch): DataView {
    return new DataView(this.memory.buffer, stretch.address, 8 * stretch.values.length);
  }

  /** Calls kernel k at u with the parameters p. */
  call(k: number, u: Stretch, p: Stretch, out: Stretch): void {
    (this.functions[`kernel${k}`] as Kernel)(0, u.address, p.address, out.address, this.work.address);
  }
}
