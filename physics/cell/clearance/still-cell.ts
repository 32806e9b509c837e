/**
 * A cell in which time stands still: nothing falls or moves by itself. Grippers take and release
 * objects by their own rules when outputs change; what is released stands on what is beneath it.
 */

import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../../kinematics/forward.ts';
import { matrixToQuaternion } from '../../math/rotation.ts';
import { BODY_STATUS, BodyStates } from '../body-states.ts';
import { areSealed, type CellModel } from '../cell-model.ts';
import type { Bundle } from '../grippers/capsule-bundle.ts';
import { NOTHING_CARRIED } from '../grippers/carried-part.ts';
import type { Gripper } from '../grippers/gripper.ts';
import { createGripper } from '../grippers/gripper-kinds.ts';
import type { GripperWorld } from '../grippers/gripper-world.ts';
import type { LooseBodies } from '../loose-bodies.ts';
import { compose, relate, SOLID_POSE } from '../pose.ts';
import { type SignalLevel, scaled } from '../signal-level.ts';
import { footprintOf } from '../solids/footprint.ts';
import { type Support, supportBeneath } from '../support.ts';
import { fingerSolids, heldSolid, type MovingSolid } from './moving-solid.ts';
import { type StandingSolid, standingBody } from './standing-solid.ts';

/** A gripper that needs no longer than this to close does so in one step (s). */
const AT_ONCE_S = 0.001;
const NO_BYTES = new Uint8Array();

/** An object that goes along with a gripper: what it holds, or what stands on that. */
interface Rider {
  readonly body: number;
  readonly gripper: number;
  /** Pose in the flange frame. */
  readonly pose: Float64Array;
}

/** An object that an output made a gripper take or release, or that stands on such a one. */
export interface Handover {
  readonly body: number;
  readonly isTaken: boolean;
  /** It only stands on what the gripper takes or releases. */
  readonly isRider: boolean;
}

/** A saved state. */
export interface StillState {
  readonly bodies: Float64Array;
  readonly grippers: readonly Float64Array[];
  readonly riders: readonly Rider[];
  readonly unknown: readonly boolean[];
}

export class StillCell {
  readonly model: CellModel;
  private readonly states: BodyStates;
  private readonly grippers: readonly Gripper[];
  private readonly world: GripperWorld;
  private riders: readonly Rider[] = [];
  /** Objects that may be anywhere: on a conveyor, in a gripper, in motion. */
  private readonly unknown: boolean[];
  /** Each object where it stood last. */
  private readonly stood: StandingSolid[] = [];
  private readonly frames = createFrames();
  private readonly flange = new Float64Array(SOLID_POSE);

  /** The cell as described, or with its objects as they are: the memory of their states. */
  constructor(model: CellModel, bodies: Float64Array | null = null) {
    this.model = model;
    const states = new BodyStates(model);
    if (bodies) states.memory.set(bodies);
    this.states = states;
    this.grippers = model.grippers.map((description) =>
      createGripper({ ...description, closing_time_s: AT_ONCE_S }),
    );
    this.world = {
      model,
      states,
      bodies: this.stillBodies(),
      flange: this.flange,
      contactForce: [0, 0, 0],
      carried: NOTHING_CARRIED,
      pressOn: () => ({ force_n: 0, body: -1 }),
      holderOf: (body) => this.grippers.find(({ holds }) => holds === body)?.name ?? null,
      report: () => undefined,
    };
    const goesAlong: readonly number[] = [
      BODY_STATUS.held,
      BODY_STATUS.carried,
      BODY_STATUS.moving,
    ];
    this.unknown = model.bodies.map(
      (_, i) => goesAlong.includes(states.status[i]!) || this.isOnBelt(i),
    );
  }

  private stillBodies(): LooseBodies {
    const { states } = this;
    return {
      isFallFree: false,
      isActive: false,
      step: () => false,
      hold: (i) => {
        states.status[i] = BODY_STATUS.held;
      },
      release: (i) => {
        states.status[i] = BODY_STATUS.resting;
      },
      place: () => undefined,
      shift: (i, by) => {
        for (let k = 0; k < 3; k++) states.poses[SOLID_POSE * i + k]! += by[k]!;
      },
      push: () => undefined,
      supportOf: (i) => this.supportOf(i),
      doubtOf: () => '',
      save: () => NO_BYTES,
      load: () => undefined,
      free: () => undefined,
    };
  }

  private supportOf(i: number): Support | null {
    const { model, states } = this;
    const isSolid = (j: number) => states.isLoose(j);
    return supportBeneath({ model, poses: states.poses, isSolid }, i);
  }

  /** Whether a body stands on a conveyor, at whatever height. */
  private isOnBelt(i: number): boolean {
    for (let at = i, steps = 0; steps <= this.model.bodies.length; steps++) {
      const support = this.supportOf(at);
      if (!support || support.body < 0) return (support?.belt ?? -1) >= 0;
      at = support.body;
    }
    return false;
  }

  /** The objects whose place is not known, each with the reason. */
  get unknownPlaces(): readonly string[] {
    return this.model.bodies.flatMap(({ name }, i) => {
      if (!this.unknown[i]) return [];
      const status = this.states.status[i];
      if (status === BODY_STATUS.held) return [`${name} (in the gripper)`];
      if (status === BODY_STATUS.carried) return [`${name} (on what the gripper holds)`];
      return [status === BODY_STATUS.moving ? `${name} (in motion)` : `${name} (on a conveyor)`];
    });
  }

  /** Number of the object that each gripper holds, or -1. */
  get holds(): readonly number[] {
    return this.grippers.map(({ holds }) => holds);
  }

  /** Whether each gripper is closed. */
  get closed(): readonly boolean[] {
    return this.grippers.map(({ isClosed }) => isClosed);
  }

  /** Follows the outputs with the arm at `q` (rad); what grippers took and released by that. */
  command(outputs: Readonly<Record<string, unknown>>, q: Float64Array): readonly Handover[] {
    this.moveTo(q);
    const handovers: Handover[] = [];
    this.grippers.forEach((gripper, g) => {
      const { holds, isClosed } = gripper;
      gripper.command(outputs[gripper.description.output] === true, this.world);
      if (gripper.isClosed === isClosed) return;
      const released = holds < 0 ? [] : this.release(g);
      gripper.step(this.world);
      const taken = gripper.holds < 0 ? [] : this.take(g, gripper.holds);
      const add = (isTaken: boolean) => (body: number, i: number) => {
        handovers.push({ body, isTaken, isRider: i > 0 });
      };
      released.forEach(add(false));
      taken.forEach(add(true));
    });
    return handovers;
  }

  /** Takes an object with all that stands on it; returns their numbers. */
  private take(gripper: number, body: number): readonly number[] {
    const taken = [body];
    const loose = this.model.bodies.map((_, i) => i).filter((i) => this.states.isLoose(i));
    this.states.status[body] = BODY_STATUS.resting;
    const onto = new Map(loose.map((i) => [i, this.supportOf(i)?.body ?? -1]));
    // What a sealed lid lies on hangs on it.
    const seats = new Map([...onto, [body, this.supportOf(body)?.body ?? -1] as const]);
    this.states.status[body] = BODY_STATUS.held;
    for (const below of taken) {
      for (const [above, on] of onto) {
        const isBelow = seats.get(below) === above && areSealed(this.model.bodies, above, below);
        if ((on === below || isBelow) && !taken.includes(above)) taken.push(above);
      }
    }
    const riders = taken.map((one): Rider => {
      const pose = new Float64Array(SOLID_POSE);
      relate(this.flange, 0, this.states.poses, SOLID_POSE * one, pose);
      this.states.status[one] = BODY_STATUS.held;
      this.unknown[one] = false;
      return { body: one, gripper, pose };
    });
    this.riders = [...this.riders, ...riders];
    return taken;
  }

  /** Puts down what a gripper carried; returns the numbers of the objects. */
  private release(gripper: number): readonly number[] {
    const down = this.riders.filter((rider) => rider.gripper === gripper);
    this.riders = this.riders.filter((rider) => rider.gripper !== gripper);
    for (const { body } of down) {
      this.states.status[body] = BODY_STATUS.resting;
      const support = this.supportOf(body);
      const { low } = footprintOf(this.model.bodies[body]!, this.states.poses, SOLID_POSE * body);
      if (support) this.states.poses[SOLID_POSE * body + 2]! += support.height_m - low;
      this.unknown[body] = this.isOnBelt(body);
    }
    return down.map(({ body }) => body);
  }

  private moveTo(q: Float64Array): void {
    forward(q, this.frames);
    const at = FLANGE_FRAME * FRAME_SIZE;
    const { w, x, y, z } = matrixToQuaternion(this.frames, at);
    for (let k = 0; k < 3; k++) this.flange[k] = this.frames[at + 9 + k]!;
    this.flange.set([w, x, y, z], 3);
    for (const { body, pose } of this.riders) {
      compose(this.flange, 0, pose, 0, this.states.poses, SOLID_POSE * body);
    }
  }

  /** The fingers as they stand now, and what goes along with them. */
  movingSolids(): readonly MovingSolid[] {
    const fingers = this.grippers.flatMap((gripper) => {
      const bundle: Bundle = { ends: [], radii: [] };
      gripper.addCapsules(bundle);
      return fingerSolids(gripper.name, bundle);
    });
    const carried = this.riders.map(({ body, pose }) => {
      const solid = this.model.bodies[body]!;
      return heldSolid(solid.name, solid, pose);
    });
    return [...fingers, ...carried];
  }

  /** The objects that stand where the check knows them. */
  standingSolids(): readonly StandingSolid[] {
    return this.model.bodies.flatMap((_, i) => {
      if (!this.states.isLoose(i) || this.unknown[i]) return [];
      return [this.standingAt(i)];
    });
  }

  /** Object `i` where it stands now: most stand where they stood before. */
  private standingAt(i: number): StandingSolid {
    const { poses } = this.states;
    const known = this.stood[i];
    if (known?.pose.every((part, k) => part === poses[SOLID_POSE * i + k])) return known;
    const standing = standingBody(this.model, i, poses);
    this.stood[i] = standing;
    return standing;
  }

  /** The inputs that say what grippers hold: their own, and those of sensors that weigh it. */
  inputs(): ReadonlyMap<string, SignalLevel> {
    const inputs = new Map<string, SignalLevel>();
    for (const gripper of this.grippers) gripper.writeInputs(inputs);
    for (const sensor of this.model.sensors) {
      if (sensor.kind !== 'weight') continue;
      const gripper = this.grippers.find(({ name }) => name === sensor.of);
      if (!gripper) continue;
      const weight_kg = this.weightIn(gripper);
      inputs.set(sensor.input, scaled(sensor, weight_kg / sensor.full_scale_kg));
    }
    return inputs;
  }

  /** Mass of what a gripper holds, with what stands on that (kg). */
  private weightIn(gripper: Gripper): number {
    const own = this.riders.filter((rider) => this.grippers[rider.gripper] === gripper);
    return own.reduce((sum, { body }) => sum + this.model.bodies[body]!.mass_kg, 0);
  }

  save(): StillState {
    return {
      bodies: this.states.memory.slice(),
      grippers: this.grippers.map((gripper) => gripper.save()),
      riders: this.riders,
      unknown: [...this.unknown],
    };
  }

  load({ bodies, grippers, riders, unknown }: StillState): void {
    this.states.memory.set(bodies);
    this.grippers.forEach((gripper, i) => {
      gripper.load(grippers[i]!);
    });
    this.riders = riders;
    unknown.forEach((isUnknown, i) => {
      this.unknown[i] = isUnknown;
    });
  }
}
