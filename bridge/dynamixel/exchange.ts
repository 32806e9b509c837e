import type { Transaction } from '../servo/bus/bus.ts';
import { fastSyncRead, syncRead, syncWrite } from './instructions.ts';
import { SAMPLE } from './joint-samples.ts';
import { encodeValue, REGISTER } from './registers.ts';

/**
 * The exchange of a cycle with these servos: a sample of each, after a write of their goals. For its
 * time on the wire, and without that write as a question that changes nothing.
 */
export function exchangeOf(ids: readonly number[], fast: boolean): Transaction {
  const goal = REGISTER.goal_position;
  const rows = ids.map((id) => ({ id, data: encodeValue(goal, 0) }));
  const packet = (fast ? fastSyncRead : syncRead)(ids, SAMPLE);
  return { packet, ids, length: SAMPLE.length, fast, prepended: [syncWrite(goal, rows)] };
}
