/**
 * The arm of this process. A process has one arm, which is known before the physics loads, so that
 * the numbers of the arm are constants that the engine folds into hot code.
 */
import type { Arm } from './arm.ts';
import defaultData from './default/arm.json' with { type: 'json' };
import { type GivenArm, givenArm } from './given-arm.ts';

const DEFAULT: GivenArm = { name: 'default', arm: defaultData as Arm, fingerprint: '' };

/**
 * The arm of this process with its name, and what tells it from others: empty for the default one.
 */
export const BOUND_ARM: GivenArm = givenArm() ?? DEFAULT;

/** What is known of the arm of this process. */
export const ARM: Arm = BOUND_ARM.arm;
