/** The state of the page in the fragment of its address, compressed: no server ever sees it. */

import type { Wish } from "./connection.ts";

export interface State extends Wish {
  time?: number;
}

const toText = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const through = async (bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function fragmentOf(state: State): Promise<string> {
  return toText(await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw")));
}

/** Undefined for a fragment that holds no state. */
export async function stateOf(fragment: string): Promise<State | undefined> {
  try {
    const raw = JSON.parse(new TextDecoder().decode(await through(toBytes(fragment), new DecompressionStream("deflate-raw"))));
    if (typeof raw.text !== "string") return undefined;
    const changes = Object.fromEntries(Object.entries(raw.changes ?? {}).filter(([, value]) => Number.isFinite(value))) as Record<string, number>;
    return { text: raw.text, changes, method: typeof raw.method === "string" ? raw.method : "", ...(Array.isArray(raw.columns) ? { columns: raw.columns.filter((name: unknown) => typeof name === "string") } : {}), ...(Number.isFinite(raw.time) ? { time: raw.time } : {}) };
  } catch {
    return undefined;
  }
}
