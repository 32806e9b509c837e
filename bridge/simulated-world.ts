/**
 * The world port of a simulated arm: pushes, obstacles, injected faults, motors off, and snapshots
 * of its whole state. Only /sim/v1 and tests use it.
 */
import assert from 'node:assert';
import type { Realism } from '../physics/arm/arm-model.ts';
import type { Load } from '../physics/dynamics/inertia.ts';
import type { ArmFault, ArmFaultKind } from './arm-driver.ts';
import { type ArmWorld, FLOOR, type Obstacle, type Touch } from './arm-world.ts';
import type { ContactLog, ContactLogState } from './contact-log.ts';
import type { MeasuredState } from './measured-arm.ts';
import type {
  BrakeState,
  ContactState,
  SimulatedController,
  SimulatedFaultState,
} from './simulated-controller.ts';

/** The part of a snapshot in front of the bytes of the plant, as JSON. */
interface SnapshotHeader {
  readonly plant: string;
  readonly steps: number;
  readonly motors_off: boolean;
  readonly brakes: BrakeState;
  readonly faults: SimulatedFaultState;
  readonly contacts: ContactState;
  readonly obstacles: readonly Obstacle[];
  /** Absent in snapshots of versions before loads. */
  readonly load?: Load | null;
  readonly contact_log?: ContactLogState;
  /** Absent in snapshots of versions before imperfections. */
  readonly measured?: MeasuredState | null;
}

/** Size of the field with the length of the header. */
const LENGTH_BYTES = 4;
/** Links, tool and load. */
const BODIES = [1, 2, 3, 4, 5, 6, 7, 8];

export class SimulatedWorld implements ArmWorld {
  private readonly name: string;
  private readonly controller: SimulatedController;
  private readonly report: () => void;
  private obstacles: readonly Obstacle[] = [];

  constructor(name: string, parts: SimulatedController, report: () => void) {
    this.name = name;
    this.controller = parts;
    this.report = report;
  }

  place(q: Float64Array): void {
    this.controller.wake();
    this.controller.startedPlant.place(q);
    this.controller.contacts.reset();
    this.controller.faults.forgetReference();
    this.controller.measured.reset(this.controller.startedPlant);
    this.report();
  }

  push(force_n: readonly [number, number, number]): void {
    this.controller.wake();
    this.controller.startedPlant.environment.setFlangeForce(force_n);
  }

  setObstacles(obstacles: readonly Obstacle[]): void {
    this.obstacles = obstacles;
    this.controller.contactLog.names = [...obstacles.map(({ name }) => name), FLOOR];
    this.controller.wake();
    this.controller.startedPlant.environment.setObstacles(obstacles);
  }

  setFault(joint: number, kind: ArmFaultKind | null): ArmFault | null {
    const fault = this.controller.faults.set(joint, kind);
    this.report();
    return fault;
  }

  setMotorsOff(off: boolean): void {
    this.controller.wake();
    this.controller.motorsOff = off;
  }

  setLoad(load: Load | null): void {
    this.controller.load = load;
    this.controller.wake();
  }

  setRealism(realism: Realism): void {
    this.controller.wake();
    this.controller.measured.set(realism, this.controller.startedPlant);
    this.report();
  }

  get load(): Load | null {
    return this.controller.load;
  }

  get contacts(): ContactLog {
    return this.controller.contactLog;
  }

  touches(): readonly Touch[] {
    const { environment } = this.controller.startedPlant;
    if (!environment.isTouching) return [];
    return this.controller.contactLog.names.flatMap((obstacle, i) =>
      BODIES.map((link) => ({
        link,
        obstacle,
        force_n: environment.contactOf(i, link).force_n,
      })).filter((touch) => touch.force_n > 0),
    );
  }

  snapshot(): Uint8Array {
    const { controller: parts } = this;
    const head: SnapshotHeader = {
      plant: this.name,
      steps: parts.steps,
      motors_off: parts.motorsOff,
      brakes: parts.brakes.save(),
      faults: parts.faults.save(),
      contacts: parts.contacts.save(),
      obstacles: this.obstacles,
      load: parts.load,
      contact_log: parts.contactLog.save(),
      measured: parts.measured.save(),
    };
    const text = new TextEncoder().encode(JSON.stringify(head));
    const plant = parts.startedPlant.snapshot();
    const bytes = new Uint8Array(LENGTH_BYTES + text.length + plant.length);
    new DataView(bytes.buffer).setUint32(0, text.length, true);
    bytes.set(text, LENGTH_BYTES);
    bytes.set(plant, LENGTH_BYTES + text.length);
    return bytes;
  }

  restore(bytes: Uint8Array): void {
    const { controller: parts } = this;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const text = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
    const head = JSON.parse(text) as SnapshotHeader;
    assert(
      head.plant === this.name,
      `cannot restore a snapshot of the ${head.plant} plant into the ${this.name} plant`,
    );
    this.setObstacles(head.obstacles);
    parts.load = head.load ?? null;
    parts.startedPlant.restore(bytes.subarray(LENGTH_BYTES + length));
    parts.measured.restore(head.measured ?? null, parts.startedPlant);
    parts.steps = head.steps;
    parts.motorsOff = head.motors_off;
    parts.brakes.restore(head.brakes);
    parts.faults.restore(head.faults);
    parts.contacts.restore(head.contacts);
    parts.contactLog.restore(head.contact_log ?? { contacts: [], last_id: 0 }, parts.steps);
    this.report();
  }
}
