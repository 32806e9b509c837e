/**
 * A suction cup. Its vacuum holds what its rim meets: a body that needs more than the vacuum comes
 * off. The opening of a cup is the share of the vacuum that is missing.
 */

import type { SuctionGripper } from '../../../../contract/types.generated.ts';
import type { Numbers } from '../../../math/vector.ts';
import { SOLID_POSE, turn } from '../../pose.ts';
import { crosses, crossing, type Solid } from '../../solids/solids.ts';
import type { Bundle } from '../capsule-bundle.ts';
import { addFingers, FINGER_RADIUS_M } from '../finger-capsules.ts';
import { type Need, needText } from '../force-text.ts';
import { graspFrame } from '../grasp-frame.ts';
import { Gripper } from '../gripper.ts';
import type { GripperKind } from '../gripper-kind.ts';
import { GRIPPER_NUMBERS } from '../gripper-numbers.ts';
import type { GripperWorld, SearchedWorld } from '../gripper-world.ts';
import { gapText, missText, placeIn } from '../near-miss.ts';
import { standingDepth } from '../standing-depth.ts';

const { at: AT } = GRIPPER_NUMBERS;
/** Points at the rim of a cup that must meet the surface. */
const RIM = [
  [0, 0],
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
/** A cylinder that leans by more shows another face than a disc (m). */
const LEAN_M = 1e-3;
/** The missing share of the vacuum of an open cup. */
const OPEN = 1;

const origin = new Float64Array(3);
const axis = new Float64Array(3);

function frameOf({ tip_m }: SuctionGripper): Float64Array {
  return graspFrame(tip_m, 0);
}

/** Distance in the plane of a cup from its middle to the face of a body; at most 0 on it. */
function besideFace({ isRound }: Solid, half: Numbers, [x, y]: readonly [number, number]): number {
  const [a, b] = [half[0]!, half[1]!];
  if (isRound && Math.abs(a - b) < LEAN_M) {
    return Math.sqrt((x + a) * (x + a) + (y + b) * (y + b)) - a;
  }
  const [u, v] = [Math.max(x, 0), Math.max(y, 0)];
  return u > 0 || v > 0 ? Math.sqrt(u * u + v * v) : Math.max(x, y);
}

class SuctionCup extends Gripper {
  private readonly cup: SuctionGripper;

  constructor(cup: SuctionGripper) {
    super(cup, { frame: frameOf(cup), stroke: OPEN });
    this.cup = cup;
  }

  get opening_m(): number {
    return 0;
  }

  /** A cup sucks until it has something. */
  protected override get isClosing(): boolean {
    return true;
  }

  addCapsules(bundle: Bundle): void {
    const radius_m = Math.min(FINGER_RADIUS_M, this.cup.radius_m);
    addFingers(this.frame, { radius_m, low_m: -radius_m, beside: [0], across: [0] }, bundle);
  }

  /** Takes what the cup meets once the vacuum is complete; true then. */
  protected closeTo(world: GripperWorld, next: number): boolean {
    const { model, states } = world;
    const lost = this.memory[AT.lost]! - 1;
    const isStillMet = lost >= 0 && states.isLoose(lost) && this.meets(world, lost);
    if (!isStillMet) this.memory[AT.lost] = 0;
    if (next > 0) return false;
    for (let i = 0; i < model.bodies.length; i++) {
      const isFree = states.isLoose(i) && this.memory[AT.lost] !== i + 1;
      if (!isFree || !this.meets(world, i)) continue;
      this.memory[AT.opening] = 0;
      this.take(world, i);
      return true;
    }
    return false;
  }

  /** Whether the rim of the cup meets a body. */
  protected meets({ model, states }: SearchedWorld, body: number): boolean {
    const { cup, grasp } = this;
    turn(grasp, 3, [0, 0, 1], axis);
    return RIM.every(([x, y]) => {
      turn(grasp, 3, [x * cup.radius_m, y * cup.radius_m, 0], origin);
      for (let k = 0; k < 3; k++) origin[k]! += grasp[k]!;
      const isMet = crosses(model.bodies[body]!, states.poses, SOLID_POSE * body, origin, axis);
      return isMet && Math.abs(crossing.enter) <= cup.reach_m;
    });
  }

  protected override lostText(name: string): string {
    return `${super.lostText(name)}; lift it off or switch it off before the next grasp`;
  }

  protected missReason(world: GripperWorld, body: number): string {
    const { radius_m, reach_m } = this.cup;
    const place = placeIn(this.grasp, world, body);
    const { name, centre, half } = place;
    const away = [Math.abs(centre[0]) - half[0], Math.abs(centre[1]) - half[1]] as const;
    const beside_m = besideFace(world.model.bodies[body]!, half, away);
    const what = 'cup stood';
    const missed = missText(this.grasp, place, { what, reach_m, beside_m });
    if (missed !== null) return missed;
    const face_m = 2 * Math.min(half[0], half[1]);
    if (face_m < 2 * radius_m) {
      return `${name} is ${gapText(face_m)} wide, the cup ${gapText(2 * radius_m)}`;
    }
    const off_m = Math.sqrt(centre[0] * centre[0] + centre[1] * centre[1]);
    return `${what} ${gapText(off_m)} off the middle of ${name}`;
  }

  /** The pull, and the force that makes enough friction across. */
  protected needOf(world: GripperWorld, body: number): Need {
    const { force } = this;
    const across_n = Math.sqrt(force[0]! * force[0]! + force[1]! * force[1]!);
    const coefficient = this.coefficientOf(world, body);
    const needed_n = Math.max(0, -force[2]!) + (across_n > 0 ? across_n / coefficient : 0);
    return { needed_n, most_n: this.strength_n };
  }

  protected writeShares(world: GripperWorld, body: number): void {
    const { force, shares } = this;
    const across_n = Math.sqrt(force[0]! * force[0]! + force[1]! * force[1]!);
    const friction = this.coefficientOf(world, body);
    for (let k = 0; k < 2; k++) shares[k] = across_n > 0 ? force[k]! / across_n / friction : 0;
    shares[2] = force[2]! < 0 ? -1 : 0;
  }

  /** A cup lifts off what is too heavy for it, and then loses it. */
  protected follow(world: GripperWorld, weight: Need): boolean {
    this.ride(world);
    return weight.needed_n > weight.most_n && standingDepth(world, this.holds) !== null;
  }

  protected withstand(world: GripperWorld, need: Need): void {
    if (need.needed_n <= need.most_n) return;
    const rule = `pull + force across / friction ${this.coefficientOf(world, this.holds)}`;
    const force = needText(need, this.balanceOf(world), { holder: 'the vacuum', rule });
    this.let(world, 'dropped', `came off ${this.name}: ${force}${this.cause()}`);
  }

  /** A cup that lost a body is open to the air: its vacuum builds up again. */
  protected override let(world: GripperWorld, kind: 'released' | 'dropped', reason: string): void {
    this.memory[AT.opening] = OPEN;
    super.let(world, kind, reason);
  }
}

/** Suction cups as a kind of gripper. */
export const SUCTION: GripperKind<SuctionGripper> = {
  create: (cup) => new SuctionCup(cup),
  frameOf,
  inputsOf: () => ({}),
  faults: ['jammed', 'slips', 'leaks'],
};
