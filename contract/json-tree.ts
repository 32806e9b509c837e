/** A parsed JSON value as a tree: objects and arrays have values inside. */

export type Fields = { readonly [key: string]: unknown };

export function isTree(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

/** Whether a value has more than `most` values inside; counts no further than that. */
export function isLargerThan(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let count = 0;
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (!isTree(part)) continue;
    const children = Array.isArray(part) ? part : Object.values(part);
    count += children.length;
    if (count > most) return true;
    for (const child of children) if (isTree(child)) open.push(child);
  }
  return false;
}
