/**
 * Two parallel jaws. Friction holds what is between them: a body that needs more force along the
 * pads than it transmits slips along them, and falls once it has left them. A body too heavy for
 * that stays on what carries it, and follows the jaws only where they push.
 */

import type { JawGripper } from '../../../../contract/types.generated.ts';
import type { Numbers } from '../../../math/vector.ts';
import { SOLID_POSE, turn, turnBack } from '../../pose.ts';
import type { SignalLevel } from '../../signal-level.ts';
import type { Solid } from '../../solids/solids.ts';
import type { Bundle } from '../capsule-bundle.ts';
import { addFingers, FINGER_RADIUS_M } from '../finger-capsules.ts';
import { type Need, needText } from '../force-text.ts';
import { graspFrame } from '../grasp-frame.ts';
import { Gripper } from '../gripper.ts';
import type { GripperKind } from '../gripper-kind.ts';
import { GRIPPER_NUMBERS } from '../gripper-numbers.ts';
import type { GripperWorld, SearchedWorld } from '../gripper-world.ts';
import { gapText, misplacedText, missText, placeIn } from '../near-miss.ts';
import { standingDepth } from '../standing-depth.ts';
import { PadLines } from './pad-lines.ts';
import { Slip } from './slip.ts';

const { at: AT } = GRIPPER_NUMBERS;
/** Jaws that something blocks for so many steps have missed. */
const BLOCKED_STEPS = 100;
/** A body may touch the open jaws by this much (m). */
const SLACK_M = 1e-4;
/** A body must be this much narrower than the open jaws (m). */
const TIGHT_M = 2e-4;
/** Pads give way by this much before they push (m; own). */
const PAD_GIVE_M = 5e-4;

/** The direction in which jaws close, in the grasp frame. */
const CLOSING = [1, 0, 0];

const point = new Float64Array(3);
const axis = new Float64Array(3);

function frameOf({ tip_m, jaw_angle_rad = 0 }: JawGripper): Float64Array {
  return graspFrame(tip_m, jaw_angle_rad);
}

/** Width of a body across its own faces, of those that the closing direction crosses most (m). */
function ownWidth(solid: Solid, poses: Numbers, at: number, grasp: Numbers): number {
  turn(grasp, 3, CLOSING, axis);
  turnBack(poses, at + 3, axis, axis);
  const [x, y, z] = [Math.abs(axis[0]!), Math.abs(axis[1]!), Math.abs(axis[2]!)];
  if (z > Math.max(x, y)) return 2 * solid.half[2]!;
  return 2 * (solid.isRound || x >= y ? solid.half[0]! : solid.half[1]!);
}

class Jaws extends Gripper {
  private readonly jaws: JawGripper;
  private readonly lines: PadLines;
  private readonly slipping: Slip;

  constructor(jaws: JawGripper) {
    super(jaws, { frame: frameOf(jaws), stroke: jaws.stroke_m });
    this.jaws = jaws;
    this.lines = new PadLines(jaws, this.grasp);
    const { memory, frame, grasp, force } = this;
    const report = this.reportSlip.bind(this);
    const onSlip = (up_m: number) => this.motion.slip(up_m);
    this.slipping = new Slip({ memory, frame, grasp, force, onSlip, report });
  }

  get opening_m(): number {
    return this.opening;
  }

  override get hasSlipped(): boolean {
    return this.holds >= 0 && this.slipping.isSlipping;
  }

  /** What stands on a surface between jaws too weak for it does not move with them. */
  override get movesHeld(): boolean {
    return this.holds >= 0 && !this.isRelieved;
  }

  override writeInputs(out: Map<string, SignalLevel>): void {
    super.writeInputs(out);
    const { closed_input } = this.jaws;
    if (closed_input !== undefined) out.set(closed_input, this.opening <= 0);
  }

  addCapsules(bundle: Bundle): void {
    const { pad_height_m, pad_width_m } = this.jaws;
    const radius_m = FINGER_RADIUS_M;
    const beside_m = this.opening / 2 + PAD_GIVE_M + radius_m;
    const across_m = Math.max(0, pad_width_m / 2 - radius_m);
    addFingers(
      this.frame,
      {
        radius_m,
        low_m: pad_height_m / 2 - radius_m,
        beside: [-beside_m, beside_m],
        across: across_m > 0 ? [-across_m, 0, across_m] : [0],
      },
      bundle,
    );
  }

  /** Whether the jaws already press with their whole force on something beside them. */
  protected override isHeldUp(world: GripperWorld): boolean {
    turn(this.grasp, 3, CLOSING, point);
    const { force_n, body } = world.pressOn(point);
    if (force_n <= this.jaws.force_n) return false;
    const what = body < 0 ? 'a fixture' : world.model.bodies[body]!.name;
    this.stall(world, body < 0 ? null : body, `${what} blocks the jaws`);
    return true;
  }

  /** Something keeps the jaws from closing in this step. */
  private stall(world: GripperWorld, body: number | null, reason: string): void {
    this.memory[AT.stalled]! += 1;
    const isMissed = this.isClosed && this.memory[AT.stalled] === BLOCKED_STEPS;
    if (isMissed && this.memory[AT.hasMissed] === 0) this.miss(world, { body, reason });
  }

  protected closeTo(world: GripperWorld, next: number): boolean {
    return this.squeeze(world, next) || this.memory[AT.stalled]! > 0;
  }

  /** Pushes what is between the jaws; true once they have it. */
  private squeeze(world: GripperWorld, next: number): boolean {
    const { lines } = this;
    const bodies = lines.candidates(world, this.opening);
    const least = bodies.length > 1 ? lines.widthOf(world, bodies) : 0;
    if (least > next) {
      this.memory[AT.opening] = Math.min(this.opening, least);
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
    lines.measure(world, body);
    const { low, high } = lines;
    const half = this.opening / 2 + SLACK_M;
    const width = high - low;
    const outside = Math.max(-half - low, high - half);
    if (outside > 0 && this.opening === this.stroke) this.memory[AT.endsMet] = 1;
    if (outside > 0 || this.memory[AT.endsMet] === 1) {
      if (width > next) this.stall(world, body, this.blockReason(world, body));
      else this.memory[AT.stalled] = 0;
      return false;
    }
    this.memory[AT.stalled] = 0;
    if (width < next) {
      const over = high - next / 2;
      const under = -next / 2 - low;
      if (over > 0) this.shift(world, body, -over);
      else if (under > 0) this.shift(world, body, under);
      return false;
    }
    this.shift(world, body, -(high + low) / 2);
    this.memory[AT.opening] = Math.min(width, this.stroke);
    this.take(world, body);
    return true;
  }

  /** Shifts a body along the closing direction. */
  private shift(world: GripperWorld, body: number, by_m: number): void {
    if (Math.abs(by_m) < 1e-9) return;
    turn(this.grasp, 3, [by_m, 0, 0], point);
    world.bodies.shift(body, point);
  }

  protected meets(world: GripperWorld, body: number): boolean {
    return this.lines.isBetween(world, body, this.stroke);
  }

  /** Why the jaws cannot close on a body that they meet with their ends. */
  private blockReason(world: SearchedWorld, body: number): string {
    const { name } = world.model.bodies[body]!;
    const reason = this.wideReason(world, body) ?? `${name} blocks the jaws`;
    return reason + misplacedText(world, body);
  }

  /** That a body is too wide for the jaws; null if it is not. */
  private wideReason({ model, states }: SearchedWorld, body: number): string | null {
    const solid = model.bodies[body]!;
    const wide_m = ownWidth(solid, states.poses, SOLID_POSE * body, this.grasp);
    if (wide_m <= this.stroke - TIGHT_M) return null;
    const open = gapText(this.stroke);
    return `${solid.name} is ${gapText(wide_m)} wide, the jaws open ${open}`;
  }

  protected missReason(world: GripperWorld, body: number): string {
    const { pad_height_m, pad_width_m } = this.jaws;
    const place = placeIn(this.grasp, world, body);
    const { name, centre, half } = place;
    const [x, y] = [Math.abs(centre[0]) - half[0], Math.abs(centre[1]) - half[1]];
    const what = 'jaws closed';
    const beside_m = Math.max(x, y - pad_width_m / 2);
    const missed = missText(this.grasp, place, { what, reach_m: pad_height_m / 2, beside_m });
    const reason = missed ?? this.wideReason(world, body);
    return reason ?? `${what} ${gapText(Math.abs(centre[0]))} off the middle of ${name}`;
  }

  protected needOf(world: GripperWorld, body: number): Need {
    const { force } = this;
    const needed_n = Math.sqrt(force[1]! * force[1]! + force[2]! * force[2]!);
    return { needed_n, most_n: 2 * this.coefficientOf(world, body) * this.strength_n };
  }

  protected writeShares(): void {
    const { force, shares } = this;
    const size = Math.sqrt(force[1]! * force[1]! + force[2]! * force[2]!);
    shares[1] = size > 0 ? force[1]! / size : 0;
    shares[2] = size > 0 ? force[2]! / size : 0;
  }

  protected follow(world: GripperWorld, weight: Need): boolean {
    const isTooHeavy = weight.needed_n > weight.most_n;
    const depth_m = isTooHeavy ? standingDepth(world, this.holds) : null;
    if (depth_m === null) this.ride(world);
    else if (this.slipping.stand(world, depth_m, weight)) this.loseOut(world);
    return depth_m !== null;
  }

  private reportSlip(world: GripperWorld, need: Need): void {
    const force = needText(need, this.balanceOf(world), { holder: 'friction' });
    world.report('slipped', this.holds, `slipped in ${this.name}: ${force}${this.cause()}`);
  }

  protected withstand(world: GripperWorld, need: Need, pressed_m: number | null): void {
    if (pressed_m !== null) this.slipping.giveWay(world, need, pressed_m);
    else if (!this.slipping.slide(world, need)) return;
    this.loseOut(world);
  }

  /** Lets a body go that has slipped out from between the pads. */
  private loseOut(world: GripperWorld): void {
    this.lines.measure(world, this.holds);
    if (!this.lines.isMet) {
      this.let(world, 'dropped', `slipped out of ${this.name}${this.cause()}`);
    }
  }
}

/** Jaws as a kind of gripper. */
export const JAWS: GripperKind<JawGripper> = {
  create: (jaws) => new Jaws(jaws),
  frameOf,
  inputsOf: ({ closed_input }) => ({ closed_input }),
  faults: ['jammed', 'slips'],
};
