/**
 * The question who is still there, asked of each servo alone when common answers stay away. The
 * cycle goes on without it; it stands apart because the answer decides who is blamed.
 */
import type { Bus } from '../bus/bus.ts';
import { pingServo } from '../bus/bus-calls.ts';

/** When the first so many are silent, the line is held up, and samples matter more than names. */
const SILENT_MAX = 2;

/** Who does not answer: some, who are gone; nobody at all; or nobody can say. */
export type RollCall = readonly number[] | 'nobody answers' | 'unclear';

/**
 * Asks each of these servos, and those that are silent once more. While `isUrgent` it gives up
 * early when nobody answers.
 */
export async function callRoll(
  bus: Bus,
  ids: readonly number[],
  isUrgent: () => boolean,
): Promise<RollCall> {
  const before = bus.counts.unexpected;
  const silent: number[] = [];
  for (const [i, id] of ids.entries()) {
    if (!(await pingServo(bus, id, 1))) silent.push(id);
    if (silent.length === SILENT_MAX && i < SILENT_MAX && isUrgent()) return 'unclear';
  }
  const gone: number[] = [];
  for (const id of silent) if (!(await pingServo(bus, id, 1))) gone.push(id);
  // Answers to nobody's question are late ones: then those that came may be answers to others.
  if (bus.counts.unexpected > before) return 'unclear';
  return gone.length === ids.length ? 'nobody answers' : gone;
}
