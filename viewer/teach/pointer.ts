/**
 * Places of a toolpath as JSON pointers: what stands there, and copies of the whole with one place
 * changed that share everything else, so that 200 steps of undo cost little. Pure.
 */

function stepsOf(pointer: string): readonly string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/');
}

/** What stands at a pointer; undefined where nothing does. */
export function valueAt(root: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined,
    root,
  );
}

function changed(at: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const copy = Array.isArray(at) ? [...at] : { ...(at as object) };
  const record = copy as Record<string, unknown>;
  record[step] = changed(record[step], rest, value);
  return copy;
}

/** A copy with another value at a pointer; all that is not on the way there is shared. */
export function withValue<Root>(root: Root, pointer: string, value: unknown): Root {
  return changed(root, stepsOf(pointer), value) as Root;
}

/** The list that an element lies in and its number there: `/timeline/3` is 3 of `/timeline`. */
export function elementOf(pointer: string): { readonly list: string; readonly index: number } {
  const cut = pointer.lastIndexOf('/');
  return { list: pointer.slice(0, cut), index: Number(pointer.slice(cut + 1)) };
}
