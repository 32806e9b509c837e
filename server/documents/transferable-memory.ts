/** The memory of the typed arrays in plain data that have one of their own. */
export function memoriesIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (value === null || typeof value !== 'object') return found;
  if (!ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) memoriesIn(part, found);
  } else if (value.byteLength === value.buffer.byteLength) {
    found.add(value.buffer as ArrayBuffer);
  }
  return found;
}
