/** Byte arrays joined into one, each with its length in front, as snapshots keep them. */

/** Size of a length. */
const LENGTH_BYTES = 4;

/** Joins byte arrays, each with its length in front. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const one of parts) {
    view.setUint32(at, one.length, true);
    bytes.set(one, at + LENGTH_BYTES);
    at += LENGTH_BYTES + one.length;
  }
  return bytes;
}

/** Splits what `join` made. */
export function split(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint32(at, true);
    parts.push(bytes.slice(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
    at += LENGTH_BYTES + length;
  }
  return parts;
}

/** The doubles of bytes. */
export function doublesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}
