/** The table of faults: where each kind acts. */
import type { Loop } from '../robot/loop.ts';
import { refuse } from '../robot/refusal.ts';
import type { Producer, Producers } from './faults.ts';

/** A joint reports a fault, by the driver, until this is cleared. */
function jointFault(loop: Loop): Producer<'driver'> {
  return ({ joint, fault }, { act }) => {
    if (!loop.act({ kind: 'joint_fault', joint, fault })) {
      return refuse('not_supported', `This arm cannot be made to report ${fault}`);
    }
    act();
    return () => void loop.act({ kind: 'joint_fault', joint, fault: null });
  };
}

/** One producer for each kind of fault. */
export function createProducers(loop: Loop): Producers {
  return { driver: jointFault(loop) };
}
