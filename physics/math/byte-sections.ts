/** Byte arrays joined into one, as snapshots keep them. */

import { assert } from './assert.ts';

/** Size of a double. */
export const BYTES_PER_NUMBER = Float64Array.BYTES_PER_ELEMENT;
/** Size of a length. */
const LENGTH_BYTES = 4;

/** Joins byte arrays by name, each with its length in front, in the order of `names`. */
export function joinNamed<Name extends string>(
  names: readonly Name[],
  parts: Readonly<Record<Name, Uint8Array>>,
): Uint8Array {
  const size = names.reduce((sum, name) => sum + LENGTH_BYTES + parts[name].length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const name of names) {
    const one = parts[name];
    view.setUint32(at, one.length, true);
    bytes.set(one, at + LENGTH_BYTES);
    at += LENGTH_BYTES + one.length;
  }
  return bytes;
}

/** Splits what `joinNamed` made of parts of the same names. */
export function splitNamed<Name extends string>(
  names: readonly Name[],
  bytes: Uint8Array,
): Record<Name, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: Partial<Record<Name, Uint8Array>> = {};
  let at = 0;
  for (const name of names) {
    assert(at + LENGTH_BYTES <= bytes.length, `the saved state ends before “${name}”`);
    const length = view.getUint32(at, true);
    parts[name] = bytes.slice(at + LENGTH_BYTES, at + LENGTH_BYTES + length);
    at += LENGTH_BYTES + length;
  }
  return parts as Record<Name, Uint8Array>;
}

/** Byte arrays of known sizes one after the other, by name, and after them the rest. */
export class ByteLayout<Name extends string> {
  private readonly sizes: Readonly<Record<Name, number>>;

  constructor(sizes: Readonly<Record<Name, number>>) {
    this.sizes = sizes;
  }

  /** One array of all parts, in the order of the layout. */
  join(parts: Readonly<Record<Name | 'rest', Uint8Array>>): Uint8Array {
    const names = Object.keys(this.sizes) as Name[];
    for (const name of names) {
      const { length } = parts[name];
      const size = this.sizes[name];
      assert(length === size, `“${name}” has ${length} bytes, and its layout ${size}`);
    }
    const all = [...names.map((name) => parts[name]), parts.rest];
    const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const one of all) {
      bytes.set(one, at);
      at += one.length;
    }
    return bytes;
  }

  /** The parts of such an array, as copies. */
  split(bytes: Uint8Array): Record<Name | 'rest', Uint8Array> {
    const parts: Partial<Record<string, Uint8Array>> = {};
    let at = 0;
    for (const name of Object.keys(this.sizes) as Name[]) {
      parts[name] = bytes.slice(at, at + this.sizes[name]);
      at += this.sizes[name];
    }
    parts['rest'] = bytes.slice(at);
    return parts as Record<Name | 'rest', Uint8Array>;
  }
}

/** The doubles of bytes. */
export function doublesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}
