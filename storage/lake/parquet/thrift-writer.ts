import { ByteWriter } from "./byte-writer.ts";

/** Wire types of Thrift's compact protocol (apache/thrift, doc/specs/thrift-compact-protocol.md). */
const TYPE = { true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;

/**
 * Writes the part of Thrift's compact protocol that Parquet's metadata needs. Fields of a struct are written in rising
 * order of their ids; `struct` and `list` take a function that writes the inside.
 */
export class ThriftWriter {
  private readonly out = new ByteWriter();
  private lastFieldId = 0;

  /** 32-bit integer or enum. */
  i32(id: number, value: number): void {
    this.field(id, TYPE.i32);
    this.out.zigzag(value);
  }

  /** 64-bit integer; a safe integer is enough for every size and count in a file. */
  i64(id: number, value: number): void {
    this.field(id, TYPE.i64);
    this.out.zigzag(value);
  }

  /** 16-bit integer. */
  i16(id: number, value: number): void {
    this.field(id, TYPE.i16);
    this.out.zigzag(value);
  }

  /** A boolean lives in the field header itself. */
  bool(id: number, value: boolean): void {
    this.field(id, value ? TYPE.true : TYPE.false);
  }

  /** Text as UTF-8. */
  text(id: number, value: string): void {
    this.binary(id, Buffer.from(value, "utf8"));
  }

  /** Bytes. */
  binary(id: number, value: Uint8Array): void {
    this.field(id, TYPE.binary);
    this.out.varint(value.byteLength);
    this.out.bytes(value);
  }

  /** A struct field. */
  struct(id: number, inside: () => void): void {
    this.field(id, TYPE.struct);
    this.nested(inside);
  }

  /** A list of structs. */
  structs<T>(id: number, items: readonly T[], inside: (item: T) => void): void {
    this.listHeader(id, TYPE.struct, items.length);
    for (const item of items) this.nested(() => inside(item));
  }

  /** A list of 32-bit integers or enums. */
  i32s(id: number, items: readonly number[]): void {
    this.listHeader(id, TYPE.i32, items.length);
    for (const item of items) this.out.zigzag(item);
  }

  /** A list of texts. */
  texts(id: number, items: readonly string[]): void {
    this.listHeader(id, TYPE.binary, items.length);
    for (const item of items) {
      const bytes = Buffer.from(item, "utf8");
      this.out.varint(bytes.byteLength);
      this.out.bytes(bytes);
    }
  }

  /** Ends the outermost struct and gives its bytes. */
  finish(): Uint8Array {
    this.out.byte(0);
    return this.out.finish();
  }

  private nested(inside: () => void): void {
    const outer = this.lastFieldId;
    this.lastFieldId = 0;
    inside();
    this.out.byte(0);
    this.lastFieldId = outer;
  }

  private listHeader(id: number, type: number, length: number): void {
    this.field(id, TYPE.list);
    if (length < 15) this.out.byte((length << 4) | type);
    else {
      this.out.byte(0xf0 | type);
      this.out.varint(length);
    }
  }

  private field(id: number, type: number): void {
    const delta = id - this.lastFieldId;
    if (delta > 0 && delta <= 15) this.out.byte((delta << 4) | type);
    else {
      this.out.byte(type);
      this.out.zigzag(id);
    }
    this.lastFieldId = id;
  }
}
