/** What can be wrong with servos while they work, as the driver's faults: kinds and sentences. */
import type { DriverFault, DriverFaultKind } from '../arm-driver.ts';
import { hardwareErrorText } from './servo-models.ts';

const KIND_OF_BIT: readonly [number, DriverFaultKind][] = [
  [0x04, 'overheated'],
  [0x20, 'overload'],
  [0x08, 'encoder'],
  [0x11, 'voltage'],
];

interface Named {
  readonly joint: number;
  readonly id: number;
}

function fault(kind: DriverFaultKind, { joint, id }: Named, what: string): DriverFault {
  return { kind, joint, message: `Joint ${joint} (servo ${id}) ${what}` };
}

/** A servo reports bits of its hardware error register. */
export function alertFault(who: Named, bits: number): DriverFault {
  const kind = KIND_OF_BIT.find(([bit]) => (bits & bit) !== 0)?.[1] ?? 'overload';
  return fault(kind, who, `reports: ${hardwareErrorText(bits)}; mend that, then reset errors`);
}

/** A servo does not answer while others do. */
export function lostFault(who: Named): DriverFault {
  return fault('lost', who, 'does not answer; check its cable and supply');
}

/** A servo started anew in the middle of work. */
export function restartedFault(who: Named): DriverFault {
  return fault('lost', who, 'has started anew and let go; check that its supply does not sag');
}

/** A servo heard nothing for too long and stopped by itself. */
export function watchdogFault(who: Named): DriverFault {
  return fault('stale', who, 'stopped itself, having heard nothing; check the link and its load');
}

/** A servo is hotter than the calibration allows. */
export function heatFault(who: Named, temperature_c: number): DriverFault {
  return fault('overheated', who, `is at ${temperature_c} °C; let it cool down`);
}

/** A joint does not follow its goal. */
export function followingFault(who: Named): DriverFault {
  return fault('following_error', who, 'does not follow its goal; free what blocks it');
}

/** A setpoint that is no way to go on from here. */
export function jumpFault(who: Named): DriverFault {
  return fault('following_error', who, 'got a setpoint that jumps; start where the arm stands');
}

/** Nobody answers. */
export function silenceFault(bus: string): DriverFault {
  const message = `No servo answers on ${bus}; check the supply, the cable and the baud`;
  return { kind: 'bus', joint: null, message };
}

/** Servos answer when asked alone, and their samples do not come through. */
export function staleFault(age_s: number, corrupt: boolean): DriverFault {
  const since = `No fresh joint data for ${Math.round(1000 * Math.min(age_s, 99))} ms`;
  return corrupt
    ? { kind: 'bus', joint: null, message: `${since}: replies are corrupt; check the wiring` }
    : { kind: 'stale', joint: null, message: `${since}; check the link to the joints` };
}
