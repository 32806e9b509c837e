/**
 * Grippers of a cell: jaws and suction cups. A grasped body is joined to the flange rigidly, not by
 * the friction of an engine's contacts: these creep and depend on the solver, and both plants must
 * hold alike. Friction decides instead: the force that moves the body is compared with what the
 * pads or the vacuum can transmit, and a body that needs more slips along the pads. What a surface
 * carries needs nothing of them: a body too heavy for its gripper stays where it stands.
 */

import { GRAVITY_M_S2 } from '../../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import { length3 } from '../../math/vector.ts';
import { REST_EVENT, VELOCITY_SIZE } from '../body-states.ts';
import type { GripperModel } from '../cell-model.ts';
import { compose, relate, SOLID_POSE, turn, turnBack } from '../pose.ts';
import { GraspSearch, type GraspTarget, grasp, LINES_MIN, span } from './grasp-search.ts';
import { type Need, neededOf, pullText, slipText } from './grip-force.ts';
import { forceShareOf, type GripperFault, lostGripCause, SOUND_GRIPPER } from './gripper-fault.ts';
import { GRIPPER_NUMBERS as AT } from './gripper-numbers.ts';
import type { GripperWorld } from './gripper-world.ts';
import { HeldMotion } from './held-motion.ts';
import { standingDepth } from './standing-depth.ts';

/** Jaws that something blocks for so many steps have missed. */
const BLOCKED_STEPS = 100;
/** A body that slips again within so many steps goes on slipping. */
const CALM_STEPS = 100;
/** A body may touch the open jaws by this much (m). */
const SLACK_M = 1e-4;
/** A standing body has slipped once the pads have moved along it by this much (m; own). */
const SLIPPED_M = 1e-3;
/** A body no longer slips below this speed (m/s). */
const STICK_M_S = 1e-4;

const point = new Float64Array(3);
const force = new Float64Array(3);
const target = new Float64Array(SOLID_POSE);
/** The direction in which jaws close, in the grasp frame. */
const CLOSING = [1, 0, 0];

export class Gripper {
  readonly model: GripperModel;
  readonly name: string;
  private readonly memory: Float64Array<ArrayBuffer> = new Float64Array(AT.size);
  /** Pose of the held body in the flange frame. */
  readonly held = this.memory.subarray(3, 10);
  /** Slip velocity along the pads, in the grasp frame (m/s). */
  private readonly slip = this.memory.subarray(10, 13);
  private readonly search: GraspSearch;
  private readonly motion = new HeldMotion(this.memory, AT.motion);
  fault: GripperFault = SOUND_GRIPPER;

  constructor(model: GripperModel) {
    this.model = model;
    this.name = model.description.name;
    this.search = new GraspSearch(model.description);
    this.memory[2] = -1;
    this.memory[0] = this.stroke_m;
  }

  /** Distance between the pads; of a cup the share of the vacuum that is missing (m, 1). */
  get opening(): number {
    return this.memory[0]!;
  }

  get isClosed(): boolean {
    return this.memory[1] === 1;
  }

  /** Number of the held body, or -1. */
  get holds(): number {
    return this.memory[2]!;
  }

  private get stroke_m(): number {
    const { description } = this.model;
    return description.kind === 'jaws' ? description.stroke_m : 1;
  }

  /** True while jaws or vacuum change. */
  get isMoving(): boolean {
    if (this.fault.isJammed || this.holds >= 0) return false;
    return this.isClosed ? this.opening > 0 || this.isSucking : this.opening < this.stroke_m;
  }

  /** True while the held body moves in the gripper. */
  get hasSlipped(): boolean {
    if (this.holds < 0) return false;
    return this.slip[1] !== 0 || this.slip[2] !== 0 || this.memory[AT.yielded] === 1;
  }

  /** True while a surface, not the gripper, carries the held body: the grip is too weak for it. */
  get isRelieved(): boolean {
    return this.holds >= 0 && this.memory[AT.stands] === 1;
  }

  /** True while the grip on a held body weakens by itself. */
  get isFailing(): boolean {
    const { slipsAfter_s, leaksIn_s } = this.fault;
    return this.holds >= 0 && (slipsAfter_s !== null || leaksIn_s !== null);
  }

  /** Share of its force that an injected fault leaves. */
  private get forceShare(): number {
    return forceShareOf(this.fault, this.motion.time_s);
  }

  /** True for a cup, whose shape does not change. */
  get isSucking(): boolean {
    return this.model.description.kind === 'suction';
  }

  /** Follows its output. */
  command(isOn: boolean, world: GripperWorld): void {
    const closes = isOn === (this.model.description.closes_on ?? true);
    if (closes === this.isClosed) {
      this.memory[14] = 0;
      return;
    }
    if (this.fault.isJammed) {
      if (this.memory[14] === 0) this.memory[14] = 1;
      return;
    }
    this.memory[14] = 0;
    this.memory[1] = closes ? 1 : 0;
    this.memory[13] = 0;
    this.memory[AT.target] = 0;
    this.memory[AT.stalled] = 0;
    this.memory[AT.endsMet] = 0;
    this.memory[AT.lost] = 0;
    if (!closes && this.holds >= 0) this.let(world, 'released', `${this.name} released`);
  }

  /** True in the step in which a command fails because the gripper is jammed. */
  get isDefeated(): boolean {
    return this.memory[14] === 1;
  }

  /** A jam is reported once for each command that it defeats. */
  private reportJam(world: GripperWorld): void {
    const { name, holds } = this;
    this.memory[14] = 2;
    compose(world.flange, 0, this.model.frame, 0, grasp);
    if (!this.isClosed)
      world.report('missed', this.search.nearest(world), `${name} missed: it is jammed`);
    else world.report('jammed', holds < 0 ? null : holds, `${name} is jammed and does not open`);
  }

  /** Advances by 1 ms. */
  step(world: GripperWorld): void {
    if (this.isDefeated) this.reportJam(world);
    if (this.holds >= 0) this.carry(world);
    else if (this.isMoving) this.move(world);
  }

  private move(world: GripperWorld): void {
    const { description, frame } = this.model;
    const rate = (this.stroke_m / description.closing_time_s) * PLANT_STEP_S;
    compose(world.flange, 0, frame, 0, grasp);
    if (this.isClosed && this.memory[AT.target] === 0) this.aim(world);
    if (!this.isSucking && this.isHeldUp(world)) return;
    if (!this.isClosed) {
      this.memory[0] = Math.min(this.stroke_m, this.opening + rate);
      return;
    }
    const next = Math.max(0, this.opening - rate);
    const isTaken =
      description.kind === 'jaws' ? this.squeeze(world, next) : this.suck(world, next);
    if (isTaken) return;
    if (this.memory[AT.stalled]! > 0) return;
    this.memory[0] = next;
    if (next > 0 || this.memory[13] === 1) return;
    const lost = this.memory[AT.lost]! - 1;
    const name = world.model.bodies[lost]?.name;
    const advice = this.isSucking ? '; lift it off or switch it off before the next grasp' : '';
    const reason = `it lost ${name}${advice}`;
    this.miss(world, name ? { body: lost, reason } : this.search.miss(world, this.target));
  }

  private miss(
    world: GripperWorld,
    { body, reason }: { readonly body: number | null; readonly reason: string },
  ): void {
    this.memory[13] = 1;
    world.report('missed', body, `${this.name} missed: ${reason}`);
  }

  /** Notes what the gripper is about to take. */
  private aim(world: GripperWorld): void {
    const body = this.search.nearest(world);
    this.memory[AT.target] = body === null ? -1 : body + 1;
    const at = SOLID_POSE * (body ?? 0);
    if (body !== null) this.memory.set(world.states.poses.subarray(at, at + 3), AT.target + 1);
  }

  private get target(): GraspTarget | null {
    const body = this.memory[AT.target]! - 1;
    return body < 0 ? null : { body, position: this.memory.subarray(AT.target + 1, AT.target + 4) };
  }

  /** Whether the jaws already press with their whole force on something beside them. */
  private isHeldUp(world: GripperWorld): boolean {
    turn(grasp, 3, [1, 0, 0], point);
    const { force_n, body } = world.pressOn(point);
    if (force_n <= this.model.description.force_n) return false;
    const what = body < 0 ? 'a fixture' : world.model.bodies[body]!.name;
    this.stall(world, body < 0 ? null : body, `${what} blocks the jaws`);
    return true;
  }

  /** Something keeps the jaws from closing in this step. */
  private stall(world: GripperWorld, body: number | null, reason: string): void {
    this.memory[AT.stalled]! += 1;
    const isMissed = this.isClosed && this.memory[AT.stalled] === BLOCKED_STEPS;
    if (isMissed && this.memory[13] === 0) this.miss(world, { body, reason });
  }

  /** Pushes what is between the jaws; true once they have it. */
  private squeeze(world: GripperWorld, next: number): boolean {
    const bodies = this.search.candidates(world, this.opening);
    const least = bodies.length > 1 ? this.search.widthOf(world, bodies) : 0;
    if (least > next) {
      this.memory[0] = Math.min(this.opening, least);
      const names = bodies.map((one) => world.model.bodies[one]!.name);
      const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
      this.stall(world, bodies[0]!, `${all} are between the jaws, which hold one object`);
      return false;
    }
    if (bodies.length !== 1) {
      this.memory[AT.stalled] = 0;
      return false;
    }
    const body = bodies[0]!;
    this.search.measure(world, body);
    const half = this.opening / 2 + SLACK_M;
    const width = span.high - span.low;
    const outside = Math.max(-half - span.low, span.high - half);
    if (outside > 0 && this.opening === this.stroke_m) this.memory[AT.endsMet] = 1;
    if (outside > 0 || this.memory[AT.endsMet] === 1) {
      if (width > next) this.stall(world, body, this.search.blockReason(world, body));
      else this.memory[AT.stalled] = 0;
      return false;
    }
    this.memory[AT.stalled] = 0;
    if (width < next) {
      const over = span.high - next / 2;
      const under = -next / 2 - span.low;
      if (over > 0) this.shift(world, body, -over);
      else if (under > 0) this.shift(world, body, under);
      return false;
    }
    this.shift(world, body, -(span.high + span.low) / 2);
    this.memory[0] = Math.min(width, this.stroke_m);
    this.take(world, body);
    return true;
  }

  /** Shifts a body along the closing direction. */
  private shift(world: GripperWorld, body: number, by_m: number): void {
    if (Math.abs(by_m) < 1e-9) return;
    turn(grasp, 3, [by_m, 0, 0], point);
    world.bodies.shift(body, point);
  }

  /** Takes what the cup meets once the vacuum is complete; true then. */
  private suck(world: GripperWorld, next: number): boolean {
    const { model, states } = world;
    const lost = this.memory[AT.lost]! - 1;
    const isStillMet = lost >= 0 && states.isLoose(lost) && this.search.meets(world, lost);
    if (!isStillMet) this.memory[AT.lost] = 0;
    if (next > 0) return false;
    for (let i = 0; i < model.bodies.length; i++) {
      const isFree = states.isLoose(i) && this.memory[AT.lost] !== i + 1;
      if (!isFree || !this.search.meets(world, i)) continue;
      this.memory[0] = 0;
      this.take(world, i);
      return true;
    }
    return false;
  }

  private take({ bodies, states, flange, report }: GripperWorld, body: number): void {
    bodies.hold(body);
    states.announced[body] = REST_EVENT.ofFall;
    this.memory[2] = body;
    relate(flange, 0, states.poses, SOLID_POSE * body, this.held);
    this.slip.fill(0);
    this.memory[AT.stands] = 0;
    this.memory[AT.calm] = CALM_STEPS;
    this.motion.reset(states.poses.subarray(SOLID_POSE * body, SOLID_POSE * body + 3));
    report('grasped', body, `${this.name} grasped`);
  }

  /** Puts the held body where the flange has it, at rest. */
  place({ states, flange }: GripperWorld): void {
    const body = this.holds;
    if (body < 0) return;
    const at = SOLID_POSE * body;
    compose(flange, 0, this.held, 0, states.poses, at);
    states.velocities.fill(0, VELOCITY_SIZE * body, VELOCITY_SIZE * (body + 1));
    this.slip.fill(0);
    this.motion.reset(states.poses.subarray(at, at + 3));
  }

  /** Carries the held body along, and lets it slip where friction does not suffice. */
  private carry(world: GripperWorld): void {
    const { states, flange } = world;
    const body = this.holds;
    const at = SOLID_POSE * body;
    this.memory[AT.yielded] = 0;
    compose(flange, 0, this.model.frame, 0, grasp);
    const weight = this.weightNeed(world, body);
    const isTooHeavy = weight.needed_n > weight.most_n;
    // What jaws cannot lift stays where it is; a cup lifts it off and then loses it.
    if (this.isSucking || !isTooHeavy) compose(flange, 0, this.held, 0, states.poses, at);
    const depth_m = isTooHeavy ? standingDepth(world, body) : null;
    if (isTooHeavy && !this.isSucking) {
      if (depth_m === null) compose(flange, 0, this.held, 0, states.poses, at);
      else this.stand(world, depth_m, weight);
    }
    if (this.holds < 0) return;
    this.memory[AT.stands] = depth_m === null ? 0 : 1;
    this.motion.update(states.poses, at);
    states.velocities.set(this.motion.velocity, VELOCITY_SIZE * body);
    if (this.motion.isKnown && depth_m === null) this.checkFriction(world, body);
  }

  /** What a held body at rest needs. */
  private weightNeed(world: GripperWorld, body: number): Need {
    force.fill(0);
    force[2] = world.model.bodies[body]!.mass_kg * GRAVITY_M_S2;
    turnBack(grasp, 3, force, force);
    return this.needOf(world, body);
  }

  /** A surface carries what the jaws cannot: it stays, and follows them only where they push. */
  private stand(world: GripperWorld, depth_m: number, weight: Need): void {
    const { poses } = world.states;
    const { held, memory } = this;
    const at = SOLID_POSE * this.holds;
    if (memory[AT.stands] === 0) memory.set(held.subarray(0, 3), AT.stood);
    this.slip.fill(0);
    compose(world.flange, 0, held, 0, target);
    turn(grasp, 3, CLOSING, point);
    let pushed_m = 0;
    for (let k = 0; k < 3; k++) pushed_m += (target[k]! - poses[at + k]!) * point[k]!;
    for (let k = 0; k < 2; k++) poses[at + k]! += pushed_m * point[k]!;
    poses[at + 2]! += depth_m;
    relate(world.flange, 0, poses, at, held);
    for (let k = 0; k < 3; k++) point[k] = held[k]! - memory[AT.stood + k]!;
    const slid_m = length3(point[0]!, point[1]!, point[2]!);
    if (slid_m <= SLIPPED_M) return;
    if (memory[AT.calm]! >= CALM_STEPS) this.reportSlip(world, weight);
    memory[AT.calm] = 0;
    this.loseOut(world);
  }

  private reportSlip(world: GripperWorld, need: Need): void {
    const details = slipText(need.needed_n, need.most_n);
    world.report('slipped', this.holds, `slipped in ${this.name}: ${details}${this.cause()}`);
  }

  /** Writes the force that moves the held body, in the grasp frame. */
  private writeForce(world: GripperWorld, body: number, isCarried: boolean): number {
    const { mass_kg } = world.model.bodies[body]!;
    for (let k = 0; k < 3; k++) {
      force[k] = mass_kg * this.motion.acceleration[k]! - world.contactForce[k]!;
    }
    force[2]! += mass_kg * GRAVITY_M_S2;
    const upwards = force[2]!;
    if (isCarried && upwards > 0) force[2] = 0;
    turnBack(grasp, 3, force, force);
    return upwards;
  }

  private coefficientOf(world: GripperWorld, body: number): number {
    return this.model.description.friction ?? world.model.bodies[body]!.friction;
  }

  /** What the grip transmits at most: along the pads by friction, or with the vacuum (N). */
  private mostOf(world: GripperWorld, body: number): number {
    const strength = this.model.description.force_n * this.forceShare;
    return this.isSucking ? strength : 2 * this.coefficientOf(world, body) * strength;
  }

  private needOf(world: GripperWorld, body: number): Need {
    const { kind } = this.model.description;
    const needed_n = neededOf(kind, this.coefficientOf(world, body), force);
    return { needed_n, most_n: this.mostOf(world, body) };
  }

  private checkFriction(world: GripperWorld, body: number): void {
    const upwards = this.writeForce(world, body, false);
    let { needed_n, most_n } = this.needOf(world, body);
    const depth_m = needed_n > most_n ? standingDepth(world, body) : null;
    if (depth_m !== null && upwards > 0) {
      this.writeForce(world, body, true);
      ({ needed_n, most_n } = this.needOf(world, body));
    }
    if (this.isSucking) {
      if (needed_n > most_n) this.loseOff(world, { needed_n, most_n });
    } else if (depth_m !== null && depth_m > 0 && upwards < 0) {
      this.giveWay(world, { needed_n, most_n }, depth_m);
    } else this.slide(world, { needed_n, most_n });
  }

  /** A cup loses a body that needs more than its force. */
  private loseOff(world: GripperWorld, { needed_n, most_n }: Need): void {
    const body = this.holds;
    const details = pullText(this.name, { needed_n, most_n }, this.coefficientOf(world, body));
    this.let(world, 'dropped', `${details}${this.cause()}`);
  }

  /** A surface presses harder than the pads hold: the body gives way along them (m). */
  private giveWay(world: GripperWorld, need: Need, depth_m: number): void {
    if (this.memory[AT.calm]! >= CALM_STEPS) this.reportSlip(world, need);
    this.memory[AT.calm] = 0;
    this.memory[AT.yielded] = 1;
    this.slip.fill(0);
    const at = SOLID_POSE * this.holds;
    world.states.poses[at + 2]! += depth_m * (1 - need.most_n / need.needed_n);
    relate(world.flange, 0, world.states.poses, at, this.held);
    this.loseOut(world);
  }

  /** Slips along the pads (y, z of the grasp frame) under `force`. */
  private slide(world: GripperWorld, { needed_n: needed, most_n: most }: Need): void {
    const { slip } = this;
    const { mass_kg } = world.model.bodies[this.holds]!;
    const speed = Math.sqrt(slip[1]! * slip[1]! + slip[2]! * slip[2]!);
    if (speed === 0 && needed <= most) {
      this.memory[AT.calm]! += 1;
      return;
    }
    const isNew = speed === 0 && this.memory[AT.calm]! >= CALM_STEPS;
    this.memory[AT.calm] = 0;
    if (isNew) this.reportSlip(world, { needed_n: needed, most_n: most });
    for (let k = 1; k < 3; k++) {
      const against = speed > 0 ? slip[k]! / speed : -force[k]! / needed;
      slip[k]! += ((-force[k]! - most * against) / mass_kg) * PLANT_STEP_S;
    }
    const after = Math.sqrt(slip[1]! * slip[1]! + slip[2]! * slip[2]!);
    if (needed <= most && (after < STICK_M_S || after > speed)) slip.fill(0);
    turn(this.model.frame, 3, [0, slip[1]!, slip[2]!], point);
    for (let k = 0; k < 3; k++) this.held[k]! += point[k]! * PLANT_STEP_S;
    compose(world.flange, 0, this.held, 0, world.states.poses, SOLID_POSE * this.holds);
    this.loseOut(world);
  }

  /** Lets a body go that has slipped out from between the pads. */
  private loseOut(world: GripperWorld): void {
    this.search.measure(world, this.holds);
    if (span.lines < LINES_MIN)
      this.let(world, 'dropped', `slipped out of ${this.name}${this.cause()}`);
  }

  /** The injected fault behind a lost grip, as the end of a sentence. */
  private cause(): string {
    return lostGripCause(this.fault, this.forceShare, this.model.description.force_n);
  }

  /** Lets go of the body: it is loose at the velocity of the gripper. */
  private let(world: GripperWorld, kind: 'released' | 'dropped', reason: string): void {
    const body = this.holds;
    this.memory[2] = -1;
    this.memory[AT.stands] = 0;
    this.memory[AT.target] = -1;
    this.memory[AT.lost] = kind === 'dropped' ? body + 1 : 0;
    // A cup that lost a body is open to the air: its vacuum builds up again.
    if (this.isSucking) this.memory[0] = 1;
    world.states.announced[body] = REST_EVENT.always;
    world.bodies.release(body);
    world.report(kind, body, reason);
  }

  /** A person or a fault takes a body away, which this gripper may hold or aim at. */
  forget(body: number): void {
    if (this.memory[AT.target] === body + 1) this.memory[AT.target] = -1;
    if (this.memory[AT.lost] === body + 1) this.memory[AT.lost] = 0;
    if (this.holds !== body) return;
    this.memory[2] = -1;
    this.memory[AT.stands] = 0;
    this.memory[AT.target] = -1;
  }

  save(): Float64Array<ArrayBuffer> {
    return this.memory.slice();
  }

  load(memory: ArrayLike<number>): void {
    this.memory.set(memory);
  }
}
