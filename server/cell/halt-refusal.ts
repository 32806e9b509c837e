import type { ArmWorld } from '../../bridge/arm-world.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';

/** Refuses to let time pass for a cell that cannot be simulated any further. */
export function haltRefusal({
  world,
}: {
  readonly world: ArmWorld | null;
}): Refusal<'wrong_state'> | null {
  const reason = world?.cell?.failure ?? null;
  return reason === null ? null : refuse('wrong_state', `The clock stands: ${reason}`);
}
