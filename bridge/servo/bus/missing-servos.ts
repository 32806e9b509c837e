/** The search for servos that have fallen silent, and for those that answer again. */

import type { Bus } from './bus.ts';

/** Those of these servos that answer one ping each: they were silent, and may be back. */
export async function findReturnedServos(
  ids: Iterable<number>,
  answers: (id: number) => Promise<boolean>,
): Promise<readonly number[]> {
  const back: number[] = [];
  for (const id of ids) if (await answers(id)) back.push(id);
  return back;
}

/** When the first servos are all silent, the bus is stalled, and samples matter more. */
const SILENT_MAX = 2;

/** How often silent servos are asked again, and on a line that loses answers of any of them. */
const AGAIN = { steady: 1, erratic: 4 };

/** Ids of servos that do not reply; `none reply` when all are silent; `unclear` otherwise. */
export type MissingServos = readonly number[] | 'none reply' | 'unclear';

/**
 * Pings each of these servos, and the silent ones again. While `isUrgent` it stops early when
 * the first servos are all silent.
 */
export async function findMissingServos(
  bus: Bus,
  ids: readonly number[],
  {
    isUrgent,
    isErratic,
    answers,
  }: {
    readonly isUrgent: () => boolean;
    /** Whether answers are lost or garbled now of one servo, now of another. */
    readonly isErratic: () => boolean;
    /** Whether a servo answers a ping. */
    readonly answers: (id: number) => Promise<boolean>;
  },
): Promise<MissingServos> {
  const before = bus.counts.unexpected;
  const silent: number[] = [];
  for (const [i, id] of ids.entries()) {
    if (!(await answers(id))) silent.push(id);
    if (silent.length === SILENT_MAX && i < SILENT_MAX && isUrgent()) return 'unclear';
  }
  let gone = silent;
  const rounds = isErratic() ? AGAIN.erratic : AGAIN.steady;
  for (let round = 0; round < rounds && gone.length > 0; round++) {
    const still: number[] = [];
    for (const id of gone) if (!(await answers(id))) still.push(id);
    gone = still;
  }
  // Unexpected replies are late ones, so the accepted replies may belong to other requests.
  if (bus.counts.unexpected > before) return 'unclear';
  return gone.length === ids.length ? 'none reply' : gone;
}
