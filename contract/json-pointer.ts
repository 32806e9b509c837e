/** A key as an escaped segment of a JSON pointer. */
export function pointerSegment(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
