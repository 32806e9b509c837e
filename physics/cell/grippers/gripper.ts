/**
 * A gripper of a cell: what all kinds share. A grasped body is joined to the flange rigidly, not by
 * the friction of an engine's contacts: these creep and depend on the solver, and both plants must
 * hold alike. The kind says instead what force its grip transmits, and what becomes of a body that
 * needs more. What a surface carries needs nothing of the grip: a body too heavy for its gripper
 * stays where it stands.
 */

import type { CellGripper } from '../../../contract/types.generated.ts';
import { GRAVITY_M_S2 } from '../../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import { BODY_STATUS, REST_EVENT, VELOCITY_SIZE } from '../body-states.ts';
import { compose, relate, SOLID_POSE, turnBack } from '../pose.ts';
import type { SignalLevel } from '../signal-level.ts';
import type { Bundle } from './capsule-bundle.ts';
import type { Balance, Need } from './force-text.ts';
import { forceShareOf, type GripperFault, lostGripCause, SOUND_GRIPPER } from './gripper-fault.ts';
import { GRIPPER_NUMBERS, JAM } from './gripper-numbers.ts';
import type { GripperWorld } from './gripper-world.ts';
import { HeldMotion } from './held-motion.ts';
import { distanceTo, gapText, misplacedText, nearestBody } from './near-miss.ts';
import { standingDepth } from './standing-depth.ts';

const { at: AT } = GRIPPER_NUMBERS;
/** A body that slips again within so many steps goes on slipping. */
export const CALM_STEPS = 100;
/** A body that went further than this while the gripper closed was pushed away (m). */
const PUSHED_M = 0.01;

/** What a gripper closed on nothing did not get, and why. */
interface Miss {
  readonly body: number | null;
  readonly reason: string;
}

/** What a kind says of itself at creation. */
interface GripperShape {
  /** The grasp centre in the flange frame: x closes, z approaches. */
  readonly frame: Float64Array;
  /** How far it is open: in the unit of its opening, which ends at 0. */
  readonly stroke: number;
}

export abstract class Gripper {
  readonly description: CellGripper;
  readonly name: string;
  readonly frame: Float64Array;
  protected readonly stroke: number;
  protected readonly memory: Float64Array<ArrayBuffer> = GRIPPER_NUMBERS.create();
  protected readonly numbers = GRIPPER_NUMBERS.views(this.memory);
  /** Pose of the held body in the flange frame. */
  readonly held = this.numbers.held;
  /** Slip velocity along the pads, in the grasp frame (m/s). */
  protected readonly slip = this.numbers.slip;
  protected readonly motion = new HeldMotion(this.numbers.motion);
  /** Pose of the grasp centre in this step. */
  protected readonly grasp = new Float64Array(SOLID_POSE);
  /** Force that moves the held body, in the grasp frame (N). */
  protected readonly force = new Float64Array(3);
  /** What that force is made of (N, world). */
  private readonly made = {
    weight: new Float64Array(3),
    inertia: new Float64Array(3),
    contact: new Float64Array(3),
  };
  /** The needed force is the sum of these shares of the force. */
  protected readonly shares = new Float64Array(3);
  fault: GripperFault = SOUND_GRIPPER;

  constructor(description: CellGripper, { frame, stroke }: GripperShape) {
    this.description = description;
    this.name = description.name;
    this.frame = frame;
    this.stroke = stroke;
    this.memory[AT.holds] = -1;
    this.memory[AT.opening] = stroke;
  }

  /** Distance between its pads (m); 0 for a kind without. */
  abstract get opening_m(): number;
  /** Adds the capsules with which it touches what is around it, in the flange frame. */
  abstract addCapsules(bundle: Bundle): void;
  /** Goes on to `next` of its opening; true where it cannot: it has a body, or one blocks it. */
  protected abstract closeTo(world: GripperWorld, next: number): boolean;
  /** Whether a body is where it would take it. */
  protected abstract meets(world: GripperWorld, body: number): boolean;
  /** Why it closed without a body that is there, as a sentence without its subject. */
  protected abstract missReason(world: GripperWorld, body: number): string;
  /** What moving a held body with `force` needs, and what the grip transmits. */
  protected abstract needOf(world: GripperWorld, body: number): Need;
  /** Writes the `shares` of the force on a held body that its needed force is the sum of. */
  protected abstract writeShares(world: GripperWorld, body: number): void;
  /**
   * Moves the held body with the flange, as far as the grip lifts its weight; true where a surface
   * carries it.
   */
  protected abstract follow(world: GripperWorld, weight: Need): boolean;
  /**
   * What becomes of a held body under `force`; `pressed_m` is how deep it lies in a surface that
   * presses it upwards, or null.
   */
  protected abstract withstand(world: GripperWorld, need: Need, pressed_m: number | null): void;

  protected get opening(): number {
    return this.memory[AT.opening]!;
  }

  get isClosed(): boolean {
    return this.memory[AT.isClosed] === 1;
  }

  /** Number of the held body, or -1. */
  get holds(): number {
    return this.memory[AT.holds]!;
  }

  /** True while it moves, or its vacuum changes. */
  get isMoving(): boolean {
    if (this.fault.isJammed || this.holds >= 0) return false;
    return this.isClosed ? this.isClosing : this.opening < this.stroke;
  }

  /** True while a closed gripper that holds nothing goes on. */
  protected get isClosing(): boolean {
    return this.opening > 0;
  }

  /** True while the held body moves in the gripper. */
  get hasSlipped(): boolean {
    return false;
  }

  /** True while a surface, not the gripper, carries the held body: the grip is too weak for it. */
  get isRelieved(): boolean {
    return this.holds >= 0 && this.memory[AT.stands] === 1;
  }

  /** True while the held body goes where the flange goes. */
  get movesHeld(): boolean {
    return this.holds >= 0;
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

  /** Its force, as far as an injected fault leaves it (N). */
  protected get strength_n(): number {
    return this.description.force_n * this.forceShare;
  }

  /** Writes the values of the inputs that it drives. */
  writeInputs(out: Map<string, SignalLevel>): void {
    const { part_present_input: present } = this.description;
    if (present !== undefined) out.set(present, this.holds >= 0);
  }

  /** Follows its output. */
  command(isOn: boolean, world: GripperWorld): void {
    const closes = isOn === (this.description.closes_on ?? true);
    if (closes === this.isClosed) {
      this.memory[AT.jam] = JAM.none;
      return;
    }
    if (this.fault.isJammed) {
      if (this.memory[AT.jam] === JAM.none) this.memory[AT.jam] = JAM.met;
      return;
    }
    this.memory[AT.jam] = JAM.none;
    this.memory[AT.isClosed] = closes ? 1 : 0;
    this.memory[AT.hasMissed] = 0;
    this.memory[AT.target] = 0;
    this.memory[AT.stalled] = 0;
    this.memory[AT.endsMet] = 0;
    this.memory[AT.lost] = 0;
    if (!closes && this.holds >= 0) this.let(world, 'released', `${this.name} released`);
  }

  /** True in the step in which a command fails because the gripper is jammed. */
  get isDefeated(): boolean {
    return this.memory[AT.jam] === JAM.met;
  }

  /** A jam is reported once for each command that it defeats. */
  private reportJam(world: GripperWorld): void {
    const { name, holds } = this;
    this.memory[AT.jam] = JAM.reported;
    compose(world.flange, 0, this.frame, 0, this.grasp);
    if (!this.isClosed)
      world.report('missed', nearestBody(world, this.grasp), `${name} missed: it is jammed`);
    else world.report('jammed', holds < 0 ? null : holds, `${name} is jammed and does not open`);
  }

  /** Advances by 1 ms. */
  step(world: GripperWorld): void {
    if (this.isDefeated) this.reportJam(world);
    if (this.holds >= 0) this.carry(world);
    else if (this.isMoving) this.move(world);
  }

  private move(world: GripperWorld): void {
    const { closing_time_s } = this.description;
    const rate = (this.stroke / closing_time_s) * PLANT_STEP_S;
    compose(world.flange, 0, this.frame, 0, this.grasp);
    if (this.isClosed && this.memory[AT.target] === 0) this.aim(world);
    if (this.isHeldUp(world)) return;
    if (!this.isClosed) {
      this.memory[AT.opening] = Math.min(this.stroke, this.opening + rate);
      return;
    }
    const next = Math.max(0, this.opening - rate);
    if (this.closeTo(world, next)) return;
    this.memory[AT.opening] = next;
    if (next === 0 && this.memory[AT.hasMissed] === 0) this.miss(world, this.findMiss(world));
  }

  /** Whether something beside it keeps it from moving in this step. */
  protected isHeldUp(_world: GripperWorld): boolean {
    return false;
  }

  protected miss(world: GripperWorld, { body, reason }: Miss): void {
    this.memory[AT.hasMissed] = 1;
    world.report('missed', body, `${this.name} missed: ${reason}`);
  }

  /** Notes what the gripper is about to take. */
  private aim(world: GripperWorld): void {
    const body = nearestBody(world, this.grasp);
    this.memory[AT.target] = body === null ? -1 : body + 1;
    const at = SOLID_POSE * (body ?? 0);
    if (body !== null) this.numbers.targetPosition.set(world.states.poses.subarray(at, at + 3));
  }

  /** What it lost before, or the body that it was to take and did not get, and why. */
  private findMiss(world: GripperWorld): Miss {
    const { model, states } = world;
    const lost = this.memory[AT.lost]! - 1;
    const lostName = model.bodies[lost]?.name;
    if (lostName !== undefined) return { body: lost, reason: this.lostText(lostName) };
    const taken = this.takenByOther(world);
    if (taken) return taken;
    const target = this.memory[AT.target]! - 1;
    const isThere = target >= 0 && states.status[target] !== BODY_STATUS.held;
    const body = isThere ? target : nearestBody(world, this.grasp);
    if (body === null) return { body, reason: 'there is no object' };
    const { name } = model.bodies[body]!;
    if (states.status[body] === BODY_STATUS.missing) return { body, reason: `${name} is missing` };
    const cause = misplacedText(world, body);
    const from = this.numbers.targetPosition;
    const pushed_m = isThere ? distanceTo(states.poses, body, from) : 0;
    if (pushed_m > PUSHED_M) {
      return { body, reason: `${name} was pushed ${gapText(pushed_m)} away${cause}` };
    }
    return { body, reason: this.missReason(world, body) + cause };
  }

  /** What it says of a body that it lost before it closed on nothing. */
  protected lostText(name: string): string {
    return `it lost ${name}`;
  }

  /** A body that another gripper holds where this one would take it. */
  private takenByOther(world: GripperWorld): Miss | null {
    const { model, states } = world;
    for (let i = 0; i < model.bodies.length; i++) {
      const status = states.status[i];
      const verb = status === BODY_STATUS.carried ? 'carries' : 'holds';
      if ((status !== BODY_STATUS.held && verb === 'holds') || !this.meets(world, i)) continue;
      return { body: i, reason: `${world.holderOf(i)} ${verb} ${model.bodies[i]!.name}` };
    }
    return null;
  }

  protected take({ bodies, states, flange, report }: GripperWorld, body: number): void {
    bodies.hold(body);
    states.announced[body] = REST_EVENT.ofFall;
    this.memory[AT.holds] = body;
    relate(flange, 0, states.poses, SOLID_POSE * body, this.held);
    this.slip.fill(0);
    this.memory[AT.stands] = 0;
    this.memory[AT.calm] = CALM_STEPS;
    this.motion.reset(states.poses.subarray(SOLID_POSE * body, SOLID_POSE * body + 3));
    report('grasped', body, `${this.name} grasped`);
  }

  /** Puts the held body where the flange has it, at rest. */
  place(world: GripperWorld): void {
    const body = this.holds;
    if (body < 0) return;
    const { states } = world;
    const at = SOLID_POSE * body;
    this.ride(world);
    states.velocities.fill(0, VELOCITY_SIZE * body, VELOCITY_SIZE * (body + 1));
    this.slip.fill(0);
    this.motion.reset(states.poses.subarray(at, at + 3));
  }

  /** Puts the held body where the flange has it. */
  protected ride({ states, flange }: GripperWorld): void {
    compose(flange, 0, this.held, 0, states.poses, SOLID_POSE * this.holds);
  }

  /** Carries the held body along, and lets it yield where the grip does not suffice. */
  private carry(world: GripperWorld): void {
    const { states, flange } = world;
    const body = this.holds;
    this.memory[AT.yielded] = 0;
    compose(flange, 0, this.frame, 0, this.grasp);
    const stands = this.follow(world, this.weightNeed(world, body));
    if (this.holds < 0) return;
    this.memory[AT.stands] = stands ? 1 : 0;
    this.motion.update(states.poses, SOLID_POSE * body);
    states.velocities.set(this.motion.velocity, VELOCITY_SIZE * body);
    if (this.motion.isKnown && !stands) this.checkGrip(world, body);
  }

  /** What a held body at rest needs, with what stands on it. */
  private weightNeed(world: GripperWorld, body: number): Need {
    const { force, made } = this;
    force.fill(0);
    force[2] = (world.model.bodies[body]!.mass_kg + world.carried.borne_kg) * GRAVITY_M_S2;
    made.weight[2] = force[2]!;
    made.inertia.fill(0);
    made.contact.fill(0);
    turnBack(this.grasp, 3, force, force);
    return this.needOf(world, body);
  }

  /** Writes the force that moves the held body and what it carries; returns its upward part (N). */
  private writeForce(world: GripperWorld, body: number, isCarried: boolean): number {
    const { force } = this;
    const { mass_kg } = world.model.bodies[body]!;
    for (let k = 0; k < 3; k++) {
      force[k] = mass_kg * this.motion.acceleration[k]! - world.contactForce[k]!;
      force[k]! += world.carried.force[k]!;
    }
    force[2]! += mass_kg * GRAVITY_M_S2;
    const upwards = force[2]!;
    const isBorne = isCarried && upwards > 0;
    if (isBorne) force[2] = 0;
    this.noteParts(world, mass_kg, isBorne ? upwards : 0);
    turnBack(this.grasp, 3, force, force);
    return upwards;
  }

  /** Notes what the force is made of; a surface bears `borne_n` of it. */
  private noteParts(world: GripperWorld, mass_kg: number, borne_n: number): void {
    const { weight, inertia, contact } = this.made;
    const carried_n = world.carried.borne_kg * GRAVITY_M_S2;
    for (let k = 0; k < 3; k++) {
      inertia[k] = mass_kg * this.motion.acceleration[k]! + world.carried.force[k]!;
      contact[k] = 0 - world.contactForce[k]!;
    }
    inertia[2]! -= carried_n;
    contact[2]! -= borne_n;
    weight[2] = mass_kg * GRAVITY_M_S2 + carried_n;
  }

  /** What the needed force of the held body is made of. */
  protected balanceOf(world: GripperWorld): Balance {
    const { grasp, made, shares } = this;
    this.writeShares(world, this.holds);
    const [weight_n, inertia_n, contact_n] = [made.weight, made.inertia, made.contact].map(
      (own) => {
        const part = new Float64Array(3);
        turnBack(grasp, 3, own, part);
        return part[0]! * shares[0]! + part[1]! * shares[1]! + part[2]! * shares[2]!;
      },
    );
    return { weight_n: weight_n!, inertia_n: inertia_n!, contact_n: contact_n! };
  }

  /** Friction between the gripper and a body. */
  protected coefficientOf(world: GripperWorld, body: number): number {
    return this.description.friction ?? world.model.bodies[body]!.friction;
  }

  private checkGrip(world: GripperWorld, body: number): void {
    const upwards = this.writeForce(world, body, false);
    let need = this.needOf(world, body);
    const depth_m = need.needed_n > need.most_n ? standingDepth(world, body) : null;
    if (depth_m !== null && upwards > 0) {
      this.writeForce(world, body, true);
      need = this.needOf(world, body);
    }
    const isPressed = depth_m !== null && depth_m > 0 && upwards < 0;
    this.withstand(world, need, isPressed ? depth_m : null);
  }

  /** The injected fault behind a lost grip, as the end of a sentence. */
  protected cause(): string {
    return lostGripCause(this.fault, this.forceShare, this.description.force_n);
  }

  /** Lets go of the body: it is loose at the velocity of the gripper. */
  protected let(world: GripperWorld, kind: 'released' | 'dropped', reason: string): void {
    const body = this.holds;
    this.memory[AT.holds] = -1;
    this.memory[AT.stands] = 0;
    this.memory[AT.target] = -1;
    this.memory[AT.lost] = kind === 'dropped' ? body + 1 : 0;
    world.states.announced[body] = REST_EVENT.always;
    world.bodies.release(body);
    world.report(kind, body, reason);
  }

  /** A person or a fault takes a body away, which this gripper may hold or aim at. */
  forget(body: number): void {
    if (this.memory[AT.target] === body + 1) this.memory[AT.target] = -1;
    if (this.memory[AT.lost] === body + 1) this.memory[AT.lost] = 0;
    if (this.holds !== body) return;
    this.memory[AT.holds] = -1;
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
