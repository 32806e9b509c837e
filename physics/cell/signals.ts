/**
 * Signals of a cell: belts that outputs run, buttons and doors, and the values that these, the
 * sensors and the grippers drive at inputs.
 */

import { Belt } from './belt.ts';
import type { CellModel } from './cell-model.ts';
import type { Gripper } from './grippers/gripper.ts';
import { type SensedWorld, Sensor, type SensorMemory } from './sensors.ts';
import type { SignalLevel } from './signal-level.ts';

/** The state of the signals, each list in the order of the model. */
export interface SignalMemory {
  readonly sensors: readonly SensorMemory[];
  readonly steps: readonly number[];
  readonly running: readonly boolean[];
  readonly controls: readonly number[];
}

export class Signals {
  readonly sensors: readonly Sensor[];
  readonly belts: readonly Belt[];
  /** Whether each control is pressed or open. */
  readonly controls: Float64Array;
  /** 1 for each belt that runs. */
  readonly running: Float64Array;
  private readonly model: CellModel;

  constructor(model: CellModel) {
    this.model = model;
    this.sensors = model.sensors.map((description) => new Sensor(description));
    this.belts = model.belts.map((belt) => new Belt(belt));
    this.controls = new Float64Array(model.controls.length);
    this.running = new Float64Array(model.belts.length);
    this.command({});
  }

  /** Runs the belts by the outputs; true when one started or stopped. */
  command(outputs: Readonly<Record<string, unknown>>): boolean {
    let hasChanged = false;
    for (let i = 0; i < this.belts.length; i++) {
      const belt = this.belts[i]!;
      belt.command(outputs);
      const now = belt.isRunning ? 1 : 0;
      hasChanged ||= this.running[i] !== now;
      this.running[i] = now;
    }
    return hasChanged;
  }

  /** True while a delay runs, or an encoder counts. */
  get isActive(): boolean {
    return (
      this.sensors.some((sensor) => sensor.isPending) ||
      this.belts.some((belt) => belt.isRunning && belt.level !== null)
    );
  }

  /** Lets belts run for plant steps. */
  run(steps: number): void {
    for (const belt of this.belts) if (belt.isRunning) belt.steps += steps;
  }

  /** Looks at all sensors, `dt_s` after the last look. */
  sense(world: SensedWorld, dt_s: number): void {
    for (const sensor of this.sensors) sensor.update(world, dt_s);
  }

  /** True while an open door engages the emergency stop. */
  get isStopped(): boolean {
    return this.model.controls.some(
      (control, i) => control.kind === 'door' && control.stops !== false && this.controls[i] === 1,
    );
  }

  /** Writes the value of every input that the cell drives. */
  writeInputs(grippers: readonly Gripper[], out: Map<string, SignalLevel>): void {
    for (const { description, level } of this.sensors) out.set(description.input, level);
    for (const { model, level } of this.belts) {
      if (level !== null) out.set(model.encoder!.input, level);
    }
    this.model.controls.forEach((control, i) => {
      const { input, inverted = false } = control;
      if (input !== undefined) out.set(input, (this.controls[i] === 1) !== inverted);
    });
    for (const gripper of grippers) gripper.writeInputs(out);
  }

  save(): SignalMemory {
    return {
      sensors: this.sensors.map((sensor) => sensor.save()),
      steps: this.belts.map((belt) => belt.steps),
      running: this.belts.map((belt) => belt.isRunning),
      controls: Array.from(this.controls),
    };
  }

  load({ sensors, steps, running, controls }: SignalMemory): void {
    this.sensors.forEach((sensor, i) => {
      sensor.load(sensors[i]!);
    });
    this.belts.forEach((belt, i) => {
      belt.steps = steps[i]!;
      belt.isRunning = running[i]!;
      this.running[i] = belt.isRunning ? 1 : 0;
    });
    this.controls.set(controls);
  }
}
