/** The faults of working servos, as driver faults with kind and message. */
import { jointName } from '../../physics/arm/arm-model.ts';
import type { ArmFault, ArmFaultKind } from '../arm-driver.ts';

interface ServoReference {
  readonly joint: number;
  readonly id: number;
}

function fault(kind: ArmFaultKind, { joint, id }: ServoReference, what: string): ArmFault {
  return { kind, joint, message: `${jointName(joint)} (servo ${id}) ${what}` };
}

/** A servo reports a hardware error: its kind, and what it says. */
export function alertFault(
  servo: ServoReference,
  error: { readonly kind: ArmFaultKind; readonly text: string },
): ArmFault {
  const what = `reports: ${error.text}; fix the cause, then reset errors`;
  return { ...fault(error.kind, servo, what), limp: true };
}

/** A servo does not answer while others do. */
function lostFault(servo: ServoReference): ArmFault {
  return fault('lost', servo, 'does not answer; check its cable and supply');
}

/** Servos that do not answer; `cut` says where their line is cut, where they are its last ones. */
export function lostFaults(
  servos: readonly ServoReference[],
  cut: string | null,
): readonly ArmFault[] {
  if (cut === null) return servos.map(lostFault);
  return [{ kind: 'lost', joint: servos[0]!.joint, message: cut }];
}

/** Servos that restarted together. */
export function supplyFault(servos: readonly ServoReference[]): ArmFault {
  const ids = servos.map(({ id }) => id).join(', ');
  const why = 'the supply of the arm was gone or sagged; check it, and support the arm';
  return { kind: 'voltage', joint: servos[0]!.joint, message: `Servos ${ids} restarted: ${why}` };
}

/** A servo restarted during operation. */
export function restartedFault(servo: ServoReference): ArmFault {
  return fault(
    'lost',
    servo,
    'restarted and lost torque; check that its supply voltage does not sag',
  );
}

/** A servo has no torque, and its clock ran on: its supply is not to blame. */
export function switchedOffFault(servo: ServoReference): ArmFault {
  const why = 'another program has switched it off: stop that program, or connect one master only';
  return fault('lost', servo, `lost torque without a restart; ${why}`);
}

/** The watchdog of a servo stopped it. */
export function watchdogFault(servo: ServoReference): ArmFault {
  return fault(
    'stale',
    servo,
    'stopped by its watchdog; check the link to the servos and its load',
  );
}

/** A servo is hotter than the calibration allows. */
export function heatFault(servo: ServoReference, temperature_c: number): ArmFault {
  return fault('overheated', servo, `is at ${temperature_c} °C; let it cool down`);
}

/** A second servo of a joint is not where the first one is. */
export function disagreeingFault(
  servo: ServoReference,
  leader: number,
  apart_rad: number,
): ArmFault {
  const where = `is ${Math.abs(apart_rad).toFixed(3)} rad from servo ${leader} of the same joint`;
  return fault('encoder', servo, `${where}; check its mounting, drive mode and homing offset`);
}

/** A servo has a goal that this driver did not send. */
export function foreignGoalFault(servo: ServoReference): ArmFault {
  const remedy = 'stop that program, or connect one master only, then reset errors';
  return fault('bus', servo, `has a goal that another program sent; ${remedy}`);
}

/** A joint does not follow its goal. */
export function followingFault(
  servo: ServoReference,
  lag_rad: number,
  limit_rad: number,
): ArmFault {
  const lag = `it lags ${Math.abs(lag_rad).toFixed(3)} rad (limit ${limit_rad} rad)`;
  return fault('following_error', servo, `does not follow its goal: ${lag}; free what blocks it`);
}

/** Why a joint that holds does not stay: its servos push back, drive it themselves, or do neither. */
const MOVERS = {
  pushed: 'free what pushes it',
  driven: 'its own servos drive it: stop what else sends goals to them',
  forceless: 'it has lost its force: support the arm',
} as const;

/** A joint that holds does not stay where it rested. */
export function holdFault(
  servo: ServoReference,
  moved_rad: number,
  mover: keyof typeof MOVERS,
): ArmFault {
  const moved = `moved by ${Math.abs(moved_rad).toFixed(3)} rad while it holds`;
  const message = `${moved}; ${MOVERS[mover]}`;
  return { ...fault('following_error', servo, message), limp: mover === 'forceless' };
}

/** A setpoint jumps; after `unread_s` without samples because the arm braked meanwhile. */
export function jumpFault(servo: ServoReference, unread_s: number): ArmFault {
  if (unread_s > 0) {
    const unread = `The joints were not read for ${Math.round(1000 * unread_s)} ms in a motion`;
    const why = 'the line or this computer stalled, and the arm braked';
    const message = `${unread}: ${why}; check the link, or give the program a higher priority`;
    return { kind: 'stale', joint: null, message };
  }
  return fault(
    'following_error',
    servo,
    'received a setpoint that jumps; start at the present position',
  );
}

/** No servo replies; `problem` says what is wrong with the line, where that is known. */
export function noReplyFault(bus: string, problem: string | null): ArmFault {
  const message = problem ?? `No servo answers on ${bus}; check the supply, the cable and the baud`;
  return { kind: 'bus', joint: null, message };
}

/** This program stood still during a motion, over servos that do not stop by themselves. */
export function stallFault(stall_s: number): ArmFault {
  const stood = `The program stood still for ${Math.round(1000 * stall_s)} ms during a motion`;
  const message = `${stood}; give it a higher priority or a computer of its own`;
  return { kind: 'stale', joint: null, message };
}

/** Servos reply to single requests, but their samples do not arrive. */
export function staleFault(age_s: number, corrupt: boolean): ArmFault {
  const age = `No fresh joint data for ${Math.round(1000 * Math.min(age_s, 99))} ms`;
  return corrupt
    ? { kind: 'bus', joint: null, message: `${age}: replies are corrupt; check the wiring` }
    : { kind: 'stale', joint: null, message: `${age}; check the link to the joints` };
}

/** The gripper fails; `kind` says in which way. */
export function gripperFault(kind: ArmFaultKind, id: number, what: string): ArmFault {
  // No joint is limp, but nothing that touches the arm explains it either.
  return { kind, joint: null, message: `The gripper (servo ${id}) ${what}`, limp: true };
}
