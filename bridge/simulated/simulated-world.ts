/**
 * The world port of a simulated arm: pushes, obstacles, injected faults, motors off, and snapshots
 * of its whole state. Only /sim/v1 and tests use it.
 */

import assert from 'node:assert';
import type { Problem } from '../../contract/problem.ts';
import type { ArmProfile, Cell } from '../../contract/types.generated.ts';
import type { Realism } from '../../physics/arm/arm-model.ts';
import { ArmBoxes } from '../../physics/cell/arm-boxes.ts';
import { fixturesMetByArm, metByArm } from '../../physics/cell/arm-overlaps.ts';
import { BodyStates } from '../../physics/cell/body-states.ts';
import { compileCell, type StaticSolid } from '../../physics/cell/cell-model.ts';
import { CellPlant, type CreateBodies } from '../../physics/cell/cell-plant.ts';
import { FastBodies } from '../../physics/cell/fast-bodies.ts';
import { armBodies } from '../../physics/cell/grippers/arm-bodies.ts';
import { createGripper } from '../../physics/cell/grippers/gripper-kinds.ts';
import { compileBox } from '../../physics/collision/boxes.ts';
import type { Load } from '../../physics/dynamics/load.ts';
import { ByteLayout, joinNamed, splitNamed } from '../../physics/math/byte-sections.ts';
import { loadOfProfile } from '../../physics/motion/arm-profile.ts';
import type { NearBox } from '../../physics/plant/environment-forces.ts';
import { type ArmFault, type ArmFaultKind, STEPS_PER_TICK } from '../arm-driver.ts';
import { type ArmWorld, FLOOR, type Nearby, type Obstacle, type Touch } from '../arm-world.ts';
import type { BrakeState } from './brakes.ts';
import type { ContactState } from './contact-detector.ts';
import type { ContactLog, ContactLogState } from './contact-log.ts';
import type { MeasuredState } from './measured-arm.ts';
import type { SimulatedController } from './simulated-controller.ts';
import type { SimulatedFaultState } from './simulated-faults.ts';

/** The head of a snapshot, as JSON; the states of cell and plant follow. */
interface SnapshotHead {
  readonly plant: string;
  readonly steps: number;
  readonly motors_off: boolean;
  readonly brakes: BrakeState;
  readonly faults: SimulatedFaultState;
  readonly contacts: ContactState;
  readonly obstacles: readonly Obstacle[];
  readonly load: Load | null;
  readonly contact_log: ContactLogState;
  readonly measured: MeasuredState | null;
  /** Seed of the imperfections, also of those that the arm may get. */
  readonly seed: number;
  readonly profile: ArmProfile | null;
  /** Absent without a cell: the cell, and the size of its state in front of the plant's. */
  readonly cell?: { readonly description: Cell; readonly bytes: number };
}

/** A snapshot begins with its head and the length of that. */
const HEAD = ['head'] as const;

/** The parts of a snapshot; the state of the plant is the rest. */
function snapshotOf(head: Uint8Array, cellBytes: number): ByteLayout<'head' | 'cell'> {
  return new ByteLayout({ head: head.length, cell: cellBytes });
}

/** Links, tool, load and gripper. */
const BODIES = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** A static solid of a cell as the plant's forces see it. */
function obstacleOf(solid: StaticSolid): Obstacle {
  const { name, pose, half, stiffness_n_per_m } = solid;
  const [x, y, z, w, i, j, k] = pose;
  return {
    name,
    position: { x: x!, y: y!, z: z! },
    half: { x: half[0]!, y: half[1]!, z: half[2]! },
    orientation: { w: w!, x: i!, y: j!, z: k! },
    stiffness_n_per_m,
  };
}

export class SimulatedWorld implements ArmWorld {
  private readonly name: string;
  private readonly controller: SimulatedController;
  private readonly report: () => void;
  private obstacles: readonly Obstacle[] = [];
  /** Steps that the time of the twin is ahead: a reset can restore the arm and leave the clock. */
  private late_steps = 0;
  /** Creates the mechanics of a cell's bodies for this plant. */
  createBodies: CreateBodies = (model, states) => new FastBodies(model, states);

  constructor(name: string, parts: SimulatedController, report: () => void) {
    this.name = name;
    this.controller = parts;
    this.report = report;
  }

  place(q: Float64Array): void {
    this.controller.wake();
    this.controller.startedPlant.place(q);
    this.controller.cell?.placeArm(q);
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
    this.updateBoxes();
  }

  /** Passes obstacles, fixtures and objects to the plant, in this order. */
  private updateBoxes(): void {
    const { cell, contactLog, startedPlant } = this.controller;
    const fixtures = cell?.model.statics ?? [];
    const boxes = [...this.obstacles, ...fixtures.map(obstacleOf)];
    const bodies = cell?.model.bodies ?? [];
    contactLog.names = [...[...boxes, ...bodies].map(({ name }) => name), FLOOR];
    this.controller.wake();
    startedPlant.environment.setObstacles(boxes, cell?.movables ?? []);
  }

  setCell(cell: Cell | null): void {
    const { controller: parts } = this;
    parts.cell?.free();
    parts.cell = cell && new CellPlant(compileCell(cell), this.createBodies);
    const { late_steps } = this;
    if (parts.cell) Object.assign(parts.cell, { steps: parts.steps, late_steps });
    this.updateBoxes();
    const { environment, state } = parts.startedPlant;
    if (parts.cell) parts.cell.attach(environment, state.position);
    else environment.setCell(false);
    this.report();
  }

  metByArm(cell: Cell): readonly Problem[] {
    const { environment, state } = this.controller.startedPlant;
    const model = compileCell(cell);
    const states = new BodyStates(model);
    const boxes = new ArmBoxes(model, states);
    boxes.attach(environment);
    // The open gripper of the new cell; what the present one holds is no more there.
    const { gripper } = armBodies(model, model.grippers.map(createGripper));
    const arm = { q: state.position, gripper };
    const armAt = (i: number, poses: Float64Array) => boxes.meets(i, poses, arm);
    const armIn = (box: Float64Array) => environment.meets(state.position, box, gripper);
    return [...fixturesMetByArm(model, armIn), ...metByArm({ model, states, armAt })];
  }

  depthsIn(obstacles: readonly Obstacle[]): readonly number[] {
    const { environment, state } = this.controller.startedPlant;
    return obstacles.map(({ position, half, orientation }) => {
      const box = compileBox({ centre: position, half, orientation });
      return environment.meets(state.position, box)?.depth_m ?? 0;
    });
  }

  nearestTo(poses: readonly Float64Array[], within_m: number): Nearby | null {
    const { contactLog, startedPlant } = this.controller;
    const { environment } = startedPlant;
    const least = poses.reduce<NearBox | null>(
      (found, pose) => environment.nearestAt(pose, found?.distance_m ?? within_m) ?? found,
      null,
    );
    if (!least) return null;
    const { box, body, distance_m } = least;
    return { link: body, obstacle: contactLog.names[box]!, distance_m };
  }

  setCellControl(control: number, isActive: boolean): void {
    this.controller.cell?.setControl(control, isActive);
    this.report();
  }

  get cell(): CellPlant | null {
    return this.controller.cell;
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

  setProfile(profile: ArmProfile | null): void {
    const { measured, startedPlant } = this.controller;
    this.controller.wake();
    const load = profile && loadOfProfile(profile);
    if (load) this.controller.load = load;
    measured.set(measured.realism, startedPlant, profile);
    this.report();
  }

  get realism(): Realism {
    return this.controller.measured.realism;
  }

  get profile(): ArmProfile | null {
    return this.controller.measured.profile;
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
    const { cell } = parts;
    const cellBytes = cell?.save() ?? new Uint8Array(0);
    const head: SnapshotHead = {
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
      seed: parts.measured.seed,
      profile: parts.measured.profile,
      ...(cell && { cell: { description: cell.model.description, bytes: cellBytes.length } }),
    };
    const text = new TextEncoder().encode(JSON.stringify(head));
    const headBytes = joinNamed(HEAD, { head: text });
    return snapshotOf(headBytes, cellBytes.length).join({
      head: headBytes,
      cell: cellBytes,
      rest: parts.startedPlant.snapshot(),
    });
  }

  restore(bytes: Uint8Array, tick?: number): void {
    const { controller: parts } = this;
    const text = splitNamed(HEAD, bytes);
    const head = JSON.parse(new TextDecoder().decode(text.head)) as SnapshotHead;
    const layout = snapshotOf(joinNamed(HEAD, text), head.cell?.bytes ?? 0);
    const { cell, rest: plant } = layout.split(bytes);
    assert(
      head.plant === this.name,
      `cannot restore a snapshot of the ${head.plant} plant into the ${this.name} plant`,
    );
    this.obstacles = head.obstacles;
    this.late_steps = tick === undefined ? 0 : tick * STEPS_PER_TICK - head.steps;
    parts.contactLog.late_steps = this.late_steps;
    this.setCell(head.cell?.description ?? null);
    parts.load = head.load;
    parts.startedPlant.restore(plant);
    parts.measured.seed = head.seed;
    parts.measured.restore(head.measured, parts.startedPlant, head.profile);
    parts.steps = head.steps;
    parts.cell?.restore(cell);
    parts.motorsOff = head.motors_off;
    parts.brakes.restore(head.brakes);
    parts.faults.restore(head.faults);
    parts.contacts.restore(head.contacts);
    parts.contactLog.restore(head.contact_log);
    this.report();
  }
}
