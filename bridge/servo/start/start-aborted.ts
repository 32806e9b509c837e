import { jointName } from '../../../physics/arm/arm-model.ts';
import type { ServoSlot } from '../calibration/servo-slot.ts';

/** A start that cannot go on. */
export class StartAborted extends Error {
  /** Null where no single joint is the cause. */
  readonly joint: number | null;

  constructor(joint: number | null, message: string) {
    super(message);
    this.joint = joint;
  }
}

/** The problem of a servo, named with its joint. */
export function startProblem({ joint, id }: ServoSlot, what: string): StartAborted {
  return new StartAborted(joint, `${jointName(joint)} (servo ${id}) ${what}`);
}
