/**
 * Lossless JSON encoding of plain data with typed arrays, for snapshot and recording files. Plain
 * JSON loses array types, -0 and non-finite numbers.
 */
const ARRAYS = {
  f64: Float64Array,
  i32: Int32Array,
  u8: Uint8Array,
} as const;

type Kind = keyof typeof ARRAYS;
type Plain = { readonly [key: string]: unknown };

/** Key that marks an encoded value. */
const MARK = '$';

function kindOf(value: object): Kind | null {
  for (const kind of Object.keys(ARRAYS) as Kind[]) {
    if (value instanceof ARRAYS[kind]) return kind;
  }
  return null;
}

function packNumber(value: number): unknown {
  const plain = Number.isFinite(value) && !Object.is(value, -0);
  return plain ? value : { [MARK]: Object.is(value, -0) ? '-0' : String(value) };
}

function pack(value: unknown): unknown {
  if (typeof value === 'number') return packNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(pack);
  const kind = kindOf(value);
  if (kind) {
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    return { [MARK]: kind, data: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, pack(part)]));
}

function unpackArray(kind: Kind, data: string): unknown {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  if (kind === 'u8') return bytes;
  return new ARRAYS[kind](bytes.buffer);
}

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpack);
  const mark = (value as Plain)[MARK];
  if (typeof mark !== 'string') {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unpack(part)]));
  }
  if (mark in ARRAYS) return unpackArray(mark as Kind, String((value as Plain)['data']));
  return Number(mark);
}

/** Encodes a value as JSON text; arrays that share a buffer become separate. */
export function encodePlainData(value: unknown): string {
  return JSON.stringify(pack(value));
}

/** Decodes such a text. Throws on invalid JSON. */
export function decodePlainData(text: string): unknown {
  return unpack(JSON.parse(text));
}
