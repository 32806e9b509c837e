/**
 * Several arrays of numbers out of one allocation. Solves need many short arrays at once, and what
 * an array of its own costs is not its numbers but its buffer, which the collector has to track.
 */

/** Arrays of `lengths` numbers, all zero, one behind the other in one buffer. */
export function viewsOf(lengths: readonly number[]): Float64Array[] {
  let total = 0;
  for (let i = 0; i < lengths.length; i++) total += lengths[i]!;
  const { buffer } = new Float64Array(total);
  let from = 0;
  return lengths.map((length) => {
    const view = new Float64Array(buffer, from, length);
    from += length * Float64Array.BYTES_PER_ELEMENT;
    return view;
  });
}
