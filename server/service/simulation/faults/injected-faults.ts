import { StorageError } from '../../../store/storage-error.ts';
import { FaultRules } from './fault-rules.ts';
import type { MessageFault } from './message-fault.ts';

export interface PlannerFault {
  /** Additional wall time (s). */
  readonly delay_s: number;
  readonly fails: boolean;
}

/**
 * Rules of the fault-injecting parts. Exists only where the simulation control API is on and the
 * arm is simulated; otherwise the plain parts are composed (docs/architecture.md).
 */
export class InjectedFaults {
  /** Messages of the arm's stream, by type. */
  readonly messages = new FaultRules<string, MessageFault>();
  readonly plans = new FaultRules<null, PlannerFault>();
  readonly installations = new FaultRules<null, 'fails'>();
  readonly saves = new FaultRules<null, 'disk full'>();

  /** Called by the store before each write. */
  readonly beforeCommit = () => {
    const isFull = this.saves.match(null) !== null;
    if (isFull) throw new StorageError('No space is left on the disk');
  };
}
