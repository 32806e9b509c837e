/** How the emulated DYNAMIXEL servos of an arm are set up. */

import { ARM, BOUND_ARM } from '../../../arms/bound-arm.ts';
import { JAWS } from '../../servo/emulator/emulated-jaws.ts';
import { pairServos } from '../../servo/emulator/paired-servos.ts';
import type { ShaftSetup } from '../../servo/emulator/servo-shaft.ts';
import type { TableRegister } from './control-table.ts';
import { MODELS, type ModelName } from './emulated-models.ts';

/** One emulated servo: its model, its joint and its registers. */
export interface ServoSetup extends ShaftSetup {
  readonly id: number;
  readonly model: ModelName;
  /** Joint (0..5) that it drives, which may have several servos; JAWS for that of a gripper. */
  readonly joint: number;
  readonly firmware?: number;
  /** Share of its joint's torque; 1 for the only servo of a joint. */
  readonly strength?: number;
  /** Registers with values other than the factory values. */
  readonly registers?: Partial<Record<TableRegister, number>>;
}

/** One million baud. */
export const LINE_BAUD = 3;

const { servos } = ARM;

type ArmServo = NonNullable<typeof servos>['list'][number];

/** A servo of the arm as its maker sets it up: the first of a joint leads, others obey it. */
function setupOf({ id, joint, model, reverse = false }: ArmServo, list: readonly ArmServo[]) {
  const own = list.filter((one) => one.joint === joint);
  const leader = own[0]!.id;
  return {
    id,
    joint,
    model: model as ModelName,
    strength: 1 / own.length,
    direction: reverse ? (-1 as const) : (1 as const),
    registers: {
      baud: LINE_BAUD,
      return_delay: 0,
      drive_mode: reverse ? 1 : 0,
      ...(id !== leader && { secondary_id: leader }),
    },
  };
}

const KNOWN = servos?.family === 'dynamixel' ? servos.list : null;
const GRIPPER = (KNOWN && servos?.gripper) ?? null;

/** Why servos of an arm cannot be emulated, as a sentence for its operator; null: they can. */
export function emulationProblem(
  servos: readonly { readonly id: number; readonly model: string }[],
): string | null {
  const other = servos.find(({ model }) => !Object.hasOwn(MODELS, model));
  if (!other) return null;
  const is = `Servo ${other.id} of the arm ${BOUND_ARM.name} is an ${other.model}`;
  const known = Object.keys(MODELS).join(', ');
  return `${is}, which is not emulated (${known} are): name one of these in its arm.json, or use a real bus`;
}

/** The same of the servos of this arm. */
export const EMULATION_PROBLEM = emulationProblem([
  ...(KNOWN ?? []),
  ...(GRIPPER ? [GRIPPER] : []),
]);

/** The servo of its gripper, as its maker sets it up. */
const GRIPPER_SETUP: readonly ServoSetup[] = GRIPPER
  ? [
      {
        id: GRIPPER.id,
        joint: JAWS,
        model: GRIPPER.model as ModelName,
        registers: { baud: LINE_BAUD, return_delay: 0 },
      },
    ]
  : [];

/** The servos of the arm; where they are not known, six with ids 1 to 6, as set up by an integrator. */
export const DEFAULT_SERVOS: readonly ServoSetup[] = KNOWN
  ? [...KNOWN.map((servo) => setupOf(servo, KNOWN)), ...GRIPPER_SETUP]
  : Array.from({ length: 6 }, (_, joint) => ({
      id: joint + 1,
      joint,
      model: joint < 3 ? ('XM540-W270' as const) : ('XM430-W350' as const),
      registers: { baud: LINE_BAUD, return_delay: 0 },
    }));

/** The same with two servos on shoulder and elbow: 12 and 13 are mounted in reverse. */
export const PAIRED_SERVOS: readonly ServoSetup[] = KNOWN
  ? DEFAULT_SERVOS
  : pairServos(DEFAULT_SERVOS, { drive_mode: 1 });
