/**
 * Figures of an arm of servos for /metrics: each servo, the cycle on their bus, the fault, and how
 * far the arm is from its model. Apart from the twin's own: a simulated arm has none.
 */
import { Gauge, type Registry } from 'prom-client';
import type { ArmInstruments, ArmReading } from '../../bridge/arm-instruments.ts';

type Labels = Readonly<Record<string, string>>;
type Reader = (reading: ArmReading) => readonly (readonly [labels: Labels, value: number])[];

interface Row {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: Reader;
}

type Key<Item> = {
  [Name in keyof Item]: Item[Name] extends number ? Name : never;
}[keyof Item] &
  string;

function servoRow(
  [name, help]: readonly [string, string],
  key: Key<ArmReading['servos'][number]>,
): Row {
  const values: Reader = ({ servos }) =>
    servos.map((servo) => [
      { joint: String(servo.joint), servo: String(servo.id), model: servo.model },
      servo[key],
    ]);
  return { name: `servo_${name}`, help, labels: ['joint', 'servo', 'model'], values };
}

function busRow(
  [name, help]: readonly [string, string],
  value: (bus: ArmReading['bus']) => number,
): Row {
  return { name: `bus_${name}`, help, labels: [], values: ({ bus }) => [[{}, value(bus)]] };
}

function mirrorRow(
  [name, help]: readonly [string, string],
  key: Key<NonNullable<ArmReading['mirror']>[number]>,
): Row {
  const values: Reader = ({ mirror }) =>
    (mirror ?? []).map((row) => [{ joint: String(row.joint) }, row[key]]);
  return { name: `mirror_${name}`, help, labels: ['joint'], values };
}

const ROWS: readonly Row[] = [
  servoRow(['temperature_celsius', 'Temperature of a servo'], 'temperature_c'),
  servoRow(['voltage_volts', 'Supply of a servo'], 'voltage_v'),
  servoRow(['current_amperes', 'Current of a servo'], 'current_a'),
  servoRow(['missed_samples', 'Times a servo gave no fresh sample'], 'missed_samples'),
  busRow(['cycle_p50_ms', 'Question to last answer, median'], (bus) => bus.cycle_p50_ms),
  busRow(['cycle_p99_ms', 'Question to last answer, 99th percentile'], (bus) => bus.cycle_p99_ms),
  busRow(['period_p99_ms', 'Question to question, 99th percentile'], (bus) => bus.period_p99_ms),
  busRow(['sample_age_ms', "Age of the oldest joint's sample"], (bus) => bus.age_ms),
  mirrorRow(['position_rad', 'Angle of a joint, real minus model'], 'position_rad'),
  mirrorRow(['torque_n_m', 'Torque of a joint, real minus model'], 'torque_n_m'),
  mirrorRow(['position_rms_rad', 'The same over the run, root mean square'], 'position_rms_rad'),
  mirrorRow(['torque_rms_n_m', 'The same over the run, root mean square'], 'torque_rms_n_m'),
  {
    name: 'driver_fault',
    help: '1 for what keeps the joints from moving, with its joint and cause',
    labels: ['kind', 'joint', 'cause'],
    values: ({ fault }) =>
      fault
        ? [[{ kind: fault.kind, joint: String(fault.joint ?? 'none'), cause: fault.message }, 1]]
        : [],
  },
];

/** Adds the figures of these instruments to a registry. */
export function addArmFigures(registry: Registry, instruments: ArmInstruments): void {
  for (const { name, help, labels, values } of ROWS) {
    new Gauge({
      registers: [registry],
      labelNames: [...labels],
      name: `armtwin_${name}`,
      help,
      collect() {
        this.reset();
        for (const [found, value] of values(instruments.read())) this.set({ ...found }, value);
      },
    });
  }
}
