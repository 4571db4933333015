/**
 * The few globals that Node, Electron and the sandboxed window all have, for the pure project, which knows neither
 * Node's nor the DOM's types. Nothing here does I/O.
 */
declare const performance: { now(): number };

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: "utf-8", options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}
