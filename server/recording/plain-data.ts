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

function numberText(value: number): string {
  if (Object.is(value, -0)) return `{"${MARK}":"-0"}`;
  return Number.isFinite(value) ? String(value) : `{"${MARK}":"${value}"}`;
}

/**
 * Adds the pieces of a text. Base64 needs no escapes: JSON.stringify would look for them, 5 ms for
 * each megabyte. All pieces are joined once, because each join copies.
 */
function addPieces(value: unknown, pieces: string[]): void {
  if (typeof value === 'number') pieces.push(numberText(value));
  else if (typeof value !== 'object' || value === null) {
    pieces.push(JSON.stringify(value) ?? 'null');
  } else if (Array.isArray(value)) addItems(value, pieces);
  else addObject(value, pieces);
}

function addItems(items: readonly unknown[], pieces: string[]): void {
  pieces.push('[');
  for (const [i, item] of items.entries()) {
    if (i > 0) pieces.push(',');
    addPieces(item, pieces);
  }
  pieces.push(']');
}

function addObject(value: object, pieces: string[]): void {
  const kind = kindOf(value);
  if (kind) {
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    const data = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    pieces.push(`{"${MARK}":"${kind}","data":"`, data, '"}');
    return;
  }
  let before = '{';
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    pieces.push(before, JSON.stringify(key), ':');
    addPieces(part, pieces);
    before = ',';
  }
  pieces.push(before === '{' ? '{}' : '}');
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
  const pieces: string[] = [];
  addPieces(value, pieces);
  return pieces.join('');
}

/** Decodes such a text. Throws on invalid JSON. */
export function decodePlainData(text: string): unknown {
  return unpack(JSON.parse(text));
}
