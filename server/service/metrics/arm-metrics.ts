/**
 * Metrics of a servo arm: each servo, the bus cycle, the fault, and the difference between the arm
 * and its model.
 */

import { Counter, Gauge, type Registry } from 'prom-client';
import type { ArmInstruments, ArmReading } from '../../../bridge/arm-instruments.ts';

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
  value_ms: (bus: ArmReading['bus']) => number,
): Row {
  return {
    name: `bus_${name}`,
    help,
    labels: [],
    values: ({ bus }) => [[{}, value_ms(bus) / 1000]],
  };
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
  servoRow(['missed_samples_total', 'Samples that a servo missed'], 'missed_samples'),
  busRow(
    ['cycle_p50_seconds', 'Time from request to last reply, median'],
    (bus) => bus.cycle_p50_ms,
  ),
  busRow(
    ['cycle_p99_seconds', 'Time from request to last reply, 99th percentile'],
    (bus) => bus.cycle_p99_ms,
  ),
  busRow(
    ['period_p99_seconds', 'Time from request to request, 99th percentile'],
    (bus) => bus.period_p99_ms,
  ),
  busRow(['sample_age_seconds', "Age of the oldest joint's sample"], (bus) => bus.age_ms),
  mirrorRow(['position_rad', 'Angle of a joint, real minus model'], 'position_rad'),
  mirrorRow(['torque_n_m', 'Torque of a joint, real minus model'], 'torque_n_m'),
  mirrorRow(
    ['position_rms_rad', 'Position difference over the run, root mean square'],
    'position_rms_rad',
  ),
  mirrorRow(
    ['torque_rms_n_m', 'Torque difference over the run, root mean square'],
    'torque_rms_n_m',
  ),
  {
    name: 'driver_fault',
    help: '1 for the active fault of the joints, with joint and cause',
    labels: ['kind', 'joint', 'cause'],
    values: ({ fault }) =>
      fault
        ? [[{ kind: fault.kind, joint: String(fault.joint ?? 'none'), cause: fault.message }, 1]]
        : [],
  },
];

/** Adds the metrics of an arm to a registry. */
export function addArmMetrics(registry: Registry, instruments: ArmInstruments): void {
  for (const { name, help, labels, values } of ROWS) {
    const common = {
      registers: [registry],
      labelNames: [...labels],
      name: `armtwin_${name}`,
      help,
    };
    if (name.endsWith('_total')) {
      new Counter({
        ...common,
        collect() {
          this.reset();
          for (const [found, value] of values(instruments.read())) this.inc({ ...found }, value);
        },
      });
      continue;
    }
    new Gauge({
      ...common,
      collect() {
        this.reset();
        for (const [found, value] of values(instruments.read())) this.set({ ...found }, value);
      },
    });
  }
}
