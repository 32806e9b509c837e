/**
 * All grippers of a cell at the flange: they follow the outputs and the arm, and change what it
 * carries: load, and bodies that touch the surroundings.
 */

import type { CellEvent } from '../../../contract/types.generated.ts';
import type { Load } from '../../dynamics/load.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../../kinematics/forward.ts';
import { matrixToQuaternion } from '../../math/rotation.ts';
import type { Numbers } from '../../math/vector.ts';
import { type EnvironmentForces, GRIPPER_BODY } from '../../plant/environment-forces.ts';
import type { BodyStates } from '../body-states.ts';
import { CarriedBodies } from '../carried/carried-bodies.ts';
import type { CellModel } from '../cell-model.ts';
import type { LooseBodies } from '../loose-bodies.ts';
import { compose, SOLID_POSE } from '../pose.ts';
import { armBodies } from './arm-bodies.ts';
import type { Gripper } from './gripper.ts';
import { createGripper } from './gripper-kinds.ts';
import type { GripperWorld, Press } from './gripper-world.ts';

/** What grippers need of the cell. */
interface GroupParts {
  readonly model: CellModel;
  readonly states: BodyStates;
  readonly bodies: LooseBodies;
  readonly report: (kind: CellEvent['kind'], by: string, body: number | null, text: string) => void;
  /** Called after a gripper took or lost a body. */
  readonly onTaken: () => void;
}

const NO_PRESS: Press = { force_n: 0, body: -1 };

export class GripperGroup {
  readonly list: readonly Gripper[];
  /** What the grippers and their bodies weigh; a new object after each change. */
  load: Load;
  private readonly parts: GroupParts;
  private readonly frames = createFrames();
  private readonly flange = new Float64Array(SOLID_POSE);
  private readonly contactForce = new Float64Array(3);
  private readonly worlds: readonly GripperWorld[];
  private environment: EnvironmentForces | null = null;
  /** What the held bodies carry. */
  readonly carried: CarriedBodies;

  constructor(parts: GroupParts) {
    this.parts = parts;
    const { flange, contactForce } = this;
    this.list = parts.model.grippers.map(createGripper);
    this.carried = new CarriedBodies({
      ...parts,
      grippers: this.list,
      report: (kind, by, body, text) => parts.report(kind, by, body, text),
    });
    this.worlds = this.list.map(({ name }, g) => ({
      ...parts,
      flange,
      contactForce,
      carried: this.carried.felt[g]!,
      pressOn: (direction) => this.pressOn(direction),
      holderOf: (body) => this.holderOf(body),
      report: (kind, body, text) => parts.report(kind, name, body, text),
    }));
    this.load = armBodies(parts.model, this.list).load;
  }

  attach(environment: EnvironmentForces): void {
    this.environment = environment;
    environment.setCell(this.list.length > 0);
    this.update();
  }

  private holderOf(body: number): string | null {
    const carrier = this.list[this.carried.gripperOf(body)];
    return (carrier ?? this.list.find(({ holds }) => holds === body))?.name ?? null;
  }

  /** True while a gripper moves, or its vacuum changes. */
  get isMoving(): boolean {
    return this.list.some((gripper) => gripper.isMoving);
  }

  /** True while the grip on a held body weakens by itself. */
  get isFailing(): boolean {
    return this.list.some((gripper) => gripper.isFailing);
  }

  /** True while a gripper moves or holds something: it must follow the arm. */
  get isBusy(): boolean {
    for (let i = 0; i < this.list.length; i++) {
      const gripper = this.list[i]!;
      if (gripper.holds >= 0 || gripper.isMoving || gripper.isDefeated) return true;
    }
    return false;
  }

  /** Follows the outputs; true when a gripper changed its command. */
  command(outputs: Readonly<Record<string, unknown>>): boolean {
    let hasChanged = false;
    let hasTaken = false;
    for (let i = 0; i < this.list.length; i++) {
      const gripper = this.list[i]!;
      const { isClosed, holds } = gripper;
      gripper.command(outputs[gripper.description.output] === true, this.worlds[i]!);
      hasChanged ||= gripper.isClosed !== isClosed;
      hasTaken = this.follows(i, holds) || hasTaken;
    }
    if (hasTaken) this.onTaken();
    return hasChanged;
  }

  /** Advances by 1 ms to arm angles `q` (rad); true when a gripper took or lost a body. */
  step(q: Float64Array): boolean {
    this.updateFlange(q);
    const force = this.environment?.forceOnLoad;
    for (let k = 0; k < 3; k++) this.contactForce[k] = force?.[k] ?? 0;
    let hasTaken = false;
    let hasMoved = false;
    for (let i = 0; i < this.list.length; i++) {
      const gripper = this.list[i]!;
      const { holds, opening_m, hasSlipped, isRelieved } = gripper;
      gripper.step(this.worlds[i]!);
      hasTaken = this.follows(i, holds) || hasTaken;
      // The last step of a movement counts, too.
      hasMoved ||= gripper.opening_m !== opening_m;
      hasMoved ||= hasSlipped || gripper.hasSlipped || isRelieved !== gripper.isRelieved;
    }
    if (this.carried.step()) hasMoved = true;
    if (hasTaken) this.onTaken();
    else if (hasMoved) this.update();
    return hasTaken;
  }

  /** What stands on a body goes with it once a gripper has it, and no longer; true in that step. */
  private follows(gripper: number, held: number): boolean {
    const { holds } = this.list[gripper]!;
    if (holds === held) return false;
    if (held >= 0) this.carried.letGo(held);
    if (holds >= 0) this.carried.take(gripper);
    return true;
  }

  /** What falls onto what is held goes along with it. */
  catchFalling(): void {
    if (this.carried.catchFalling()) this.onTaken();
  }

  /** Puts held bodies where arm angles `q` (rad) have them, at rest. */
  place(q: Float64Array): void {
    this.updateFlange(q);
    this.list.forEach((gripper, i) => {
      gripper.place(this.worlds[i]!);
    });
    this.carried.place();
  }

  private updateFlange(q: Float64Array): void {
    forward(q, this.frames);
    const at = FLANGE_FRAME * FRAME_SIZE;
    const { w, x, y, z } = matrixToQuaternion(this.frames, at);
    for (let k = 0; k < 3; k++) this.flange[k] = this.frames[at + 9 + k]!;
    this.flange[3] = w;
    this.flange[4] = x;
    this.flange[5] = y;
    this.flange[6] = z;
  }

  /** Grasp centre of a gripper in the world at the latest step; null without the gripper. */
  graspOf(name: string): Float64Array | null {
    const gripper = this.list.find((each) => each.name === name);
    if (!gripper) return null;
    const grasp = new Float64Array(SOLID_POSE);
    compose(this.flange, 0, gripper.frame, 0, grasp);
    return grasp;
  }

  /** The greatest force on the grippers along a direction, and the body it comes from. */
  private pressOn(direction: Numbers): Press {
    const { environment } = this;
    let press = NO_PRESS;
    if (!environment?.isTouching) return press;
    const first = environment.obstacleCount - this.parts.model.bodies.length;
    for (let i = 0; i < environment.obstacleCount; i++) {
      const { force_n, normal } = environment.contactOf(i, GRIPPER_BODY);
      if (force_n <= press.force_n) continue;
      let along = 0;
      for (let k = 0; k < 3; k++) along += normal[k]! * direction[k]!;
      const size = force_n * Math.abs(along);
      if (size > press.force_n) press = { force_n: size, body: Math.max(-1, i - first) };
    }
    return press;
  }

  private onTaken(): void {
    this.update();
    this.parts.onTaken();
  }

  /** Takes a body out of every gripper, and off what carries it. */
  forget(body: number): void {
    for (const gripper of this.list) gripper.forget(body);
    this.carried.forget(body);
  }

  /** Passes what the grippers are and hold now to the plant. */
  update(): void {
    const { gripper, held, load } = armBodies(this.parts.model, this.list, (gripper) =>
      this.carried.posesAt(gripper),
    );
    this.load = load;
    this.environment?.setGripper(gripper, held);
  }
}
