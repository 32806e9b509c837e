/**
 * The world's side of a simulated arm: pushes, obstacles, faults on wish, motors off, and its whole
 * state as bytes. It stands apart from the driver because only /sim/v1 and tests may use it.
 */
import assert from 'node:assert';
import type { DriverFault, DriverFaultKind } from './arm-driver.ts';
import type { ArmWorld, Obstacle, Touch } from './arm-world.ts';
import type { BrakeMemory } from './brakes.ts';
import type { ContactMemory } from './contact-watch.ts';
import type { FaultMemory } from './fault-board.ts';
import type { SimulatedArmParts } from './simulated-parts.ts';

/** What a snapshot holds beside the plant's bytes. */
interface SnapshotHead {
  readonly plant: string;
  readonly steps: number;
  readonly motors_off: boolean;
  readonly brakes: BrakeMemory;
  readonly faults: FaultMemory;
  readonly contacts: ContactMemory;
  readonly obstacles: readonly Obstacle[];
}

/** Bytes that say how long the head is. */
const LENGTH_SIZE = 4;
const LINKS = [1, 2, 3, 4, 5, 6];

export class SimulatedWorld implements ArmWorld {
  private readonly name: string;
  private readonly parts: SimulatedArmParts;
  private readonly report: () => void;
  private obstacles: readonly Obstacle[] = [];

  constructor(name: string, parts: SimulatedArmParts, report: () => void) {
    this.name = name;
    this.parts = parts;
    this.report = report;
  }

  place(q: Float64Array): void {
    this.parts.wake();
    this.parts.started.place(q);
    this.parts.contacts.reset();
    this.report();
  }

  push(force_n: readonly [number, number, number]): void {
    this.parts.wake();
    this.parts.started.surroundings.push(force_n);
  }

  setObstacles(obstacles: readonly Obstacle[]): void {
    this.obstacles = obstacles;
    this.parts.wake();
    this.parts.started.surroundings.setObstacles(obstacles);
  }

  setFault(joint: number, kind: DriverFaultKind | null): DriverFault | null {
    const fault = this.parts.faults.set(joint, kind);
    this.report();
    return fault;
  }

  setMotorsOff(off: boolean): void {
    this.parts.wake();
    this.parts.motorsOff = off;
  }

  touches(): readonly Touch[] {
    const { surroundings } = this.parts.started;
    return this.obstacles.flatMap((obstacle, i) =>
      LINKS.map((link) => ({
        link,
        obstacle: obstacle.name,
        force_n: surroundings.touchForce(i, link),
      })).filter((touch) => touch.force_n > 0),
    );
  }

  snapshot(): Uint8Array {
    const { parts } = this;
    const head: SnapshotHead = {
      plant: this.name,
      steps: parts.steps,
      motors_off: parts.motorsOff,
      brakes: parts.brakes.save(),
      faults: parts.faults.save(),
      contacts: parts.contacts.save(),
      obstacles: this.obstacles,
    };
    const text = new TextEncoder().encode(JSON.stringify(head));
    const plant = parts.started.snapshot();
    const bytes = new Uint8Array(LENGTH_SIZE + text.length + plant.length);
    new DataView(bytes.buffer).setUint32(0, text.length, true);
    bytes.set(text, LENGTH_SIZE);
    bytes.set(plant, LENGTH_SIZE + text.length);
    return bytes;
  }

  restore(bytes: Uint8Array): void {
    const { parts } = this;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const text = new TextDecoder().decode(bytes.subarray(LENGTH_SIZE, LENGTH_SIZE + length));
    const head = JSON.parse(text) as SnapshotHead;
    assert(head.plant === this.name, `a snapshot of ${head.plant} is not one of ${this.name}`);
    this.setObstacles(head.obstacles);
    parts.started.restore(bytes.subarray(LENGTH_SIZE + length));
    parts.steps = head.steps;
    parts.motorsOff = head.motors_off;
    parts.brakes.load(head.brakes);
    parts.faults.load(head.faults);
    parts.contacts.load(head.contacts);
    this.report();
  }
}
