/** The arms that come with the program, by name. */
import type { Arm } from './arm.ts';
import defaultArm from './default/arm.json' with { type: 'json' };
import viperx300 from './viperx-300/arm.json' with { type: 'json' };
import widowx250 from './widowx-250/arm.json' with { type: 'json' };

export const SHIPPED_ARMS: Readonly<Record<string, Arm>> = {
  default: defaultArm as Arm,
  'viperx-300': viperx300 as Arm,
  'widowx-250': widowx250 as Arm,
};
