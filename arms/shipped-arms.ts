/** The arms that come with the program, by name. */
import type { Arm } from './arm.ts';
import defaultArm from './default/arm.json' with { type: 'json' };

export const SHIPPED_ARMS: Readonly<Record<string, Arm>> = {
  default: defaultArm as Arm,
};
