/**
 * Plain data with typed arrays as JSON text that loses no bit: for files of states and recordings.
 * JSON alone would lose the arrays' kind, -0 and what is not finite.
 */

const ARRAYS = {
  f64: Float64Array,
  i32: Int32Array,
  u8: Uint8Array,
} as const;

type Kind = keyof typeof ARRAYS;
type Plain = { readonly [key: string]: unknown };

/** The key under which a value stands that JSON has no form for. */
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

/** The value as JSON text; arrays of one buffer become arrays of their own. */
export function encodePlain(value: unknown): string {
  return JSON.stringify(pack(value));
}

/** The value of such a text. Throws on text that is no JSON. */
export function decodePlain(text: string): unknown {
  return unpack(JSON.parse(text));
}
