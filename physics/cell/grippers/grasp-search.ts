/**
 * What a gripper meets: bodies between jaws, measured along sample lines across the pads, and
 * surfaces at the rim of a cup; and why a gripper closed on nothing.
 */

import type { CellGripper } from '../../../contract/types.ts';
import { length3, type Numbers } from '../../math/vector.ts';
import { BODY_STATUS } from '../body-states.ts';
import { millimetres } from '../millimetres.ts';
import { extentAlong } from '../overlap.ts';
import { relate, SOLID_POSE, turn, turnBack } from '../pose.ts';
import { crosses, crossing, type Solid } from '../solids.ts';
import type { GripperWorld, SearchedWorld } from './gripper-world.ts';

/** Sample lines across each pad: rows and columns. */
const LINES = 5;
/** Lines that must meet a body for a grasp: less is an edge that would turn away. */
export const LINES_MIN = 4;
/** Points at the rim of a cup that must meet the surface. */
const RIM = [
  [0, 0],
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
/** Gaps below this are given with a tenth (m). */
const FINE_M = 0.002;

function gapText(gap: number): string {
  return millimetres(gap, Math.abs(gap) < FINE_M ? 1 : 0);
}

/** The pose of the grasp centre: x closes, z approaches. Written before each search. */
export const grasp = new Float64Array(SOLID_POSE);
/** The last measured body along the closing direction (m), and how many lines met it. */
export const span = { low: 0, high: 0, lines: 0 };
/** Width of the last measured body along each sample line (m). */
const widths = new Float64Array(LINES * LINES);
const origin = new Float64Array(3);
const axis = new Float64Array(3);
const local = new Float64Array(SOLID_POSE);

/** What a gripper was to take: the body nearest to it as it began to close, and its place. */
export interface GraspTarget {
  readonly body: number;
  readonly position: Numbers;
}

/** A body that went further than this while the gripper closed was pushed away (m). */
const PUSHED_M = 0.01;

/** A cylinder that leans by more shows another face than a disc (m). */
const LEAN_M = 1e-3;

/** Distance in the plane of a cup from its middle to the face of a body; at most 0 on it. */
function besideFace({ isRound }: Solid, half: Numbers, [x, y]: readonly [number, number]): number {
  const [a, b] = [half[0]!, half[1]!];
  if (isRound && Math.abs(a - b) < LEAN_M) {
    return Math.sqrt((x + a) * (x + a) + (y + b) * (y + b)) - a;
  }
  const [u, v] = [Math.max(x, 0), Math.max(y, 0)];
  return u > 0 || v > 0 ? Math.sqrt(u * u + v * v) : Math.max(x, y);
}

const NONE: readonly number[] = [];
/** A body must be this much narrower than the open jaws (m). */
const TIGHT_M = 2e-4;

/** How an object lies that the gripper has not reached, or has passed, by where it points. */
const WORDS: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  '-1': ['above', 'below'],
  0: ['short of', 'past'],
  1: ['below', 'above'],
};

/** The height by which the gripper approaches along a unit of its z: -1 for down. */
function approachUp(): number {
  turn(grasp, 3, [0, 0, 1], axis);
  return axis[2]!;
}

/** Width of a body across its own faces, of those that the closing direction crosses most (m). */
function ownWidth(solid: Solid, poses: Numbers, at: number): number {
  turn(grasp, 3, [1, 0, 0], axis);
  turnBack(poses, at + 3, axis, axis);
  const [x, y, z] = [Math.abs(axis[0]!), Math.abs(axis[1]!), Math.abs(axis[2]!)];
  if (z > Math.max(x, y)) return 2 * solid.half[2]!;
  return 2 * (solid.isRound || x >= y ? solid.half[0]! : solid.half[1]!);
}

/** Whether the last measured body is between pads so far apart (m): the lines go on beyond them. */
function isBetween(opening: number): boolean {
  return span.lines >= LINES_MIN && span.low < opening / 2 && span.high > -opening / 2;
}

/** The injected fault behind a miss, as the end of a sentence. */
function causeOf({ model, states }: SearchedWorld, body: number): string {
  const moved = states.misplaced[body]!;
  const { name } = model.bodies[body]!;
  return moved > 0 ? ` (${name} was misplaced by ${gapText(moved)})` : '';
}

function distanceTo(poses: Numbers, body: number, position: Numbers): number {
  const [x, y, z] = [0, 1, 2].map((k) => poses[SOLID_POSE * body + k]! - position[k]!);
  return length3(x!, y!, z!);
}

export class GraspSearch {
  private readonly description: CellGripper;

  constructor(description: CellGripper) {
    this.description = description;
  }

  private get stroke_m(): number {
    return this.description.kind === 'jaws' ? this.description.stroke_m : 0;
  }

  /** The loose bodies that enough sample lines meet between pads so far apart (m). */
  candidates(world: SearchedWorld, opening: number): readonly number[] {
    const { model, states } = world;
    let found = NONE;
    for (let i = 0; i < model.bodies.length; i++) {
      if (!states.isLoose(i)) continue;
      const { half } = model.bodies[i]!;
      let squared = 0;
      for (let k = 0; k < 3; k++) {
        const d = states.poses[SOLID_POSE * i + k]! - grasp[k]!;
        squared += d * d;
      }
      const reach = half[0]! + half[1]! + half[2]! + this.stroke_m;
      if (squared > reach * reach) continue;
      this.measure(world, i);
      if (isBetween(opening)) found = [...found, i];
    }
    return found;
  }

  /** The least opening for these bodies (m): along each sample line their widths add up. */
  widthOf(world: SearchedWorld, bodies: readonly number[]): number {
    const sums = new Float64Array(widths.length);
    for (const body of bodies) {
      this.measure(world, body);
      for (let line = 0; line < sums.length; line++) sums[line]! += widths[line]!;
    }
    return Math.max(...sums);
  }

  /** Measures a body along the closing direction within the pads, into `span`. */
  measure({ model, states }: SearchedWorld, body: number): void {
    const { description } = this;
    span.lines = 0;
    span.low = Number.POSITIVE_INFINITY;
    span.high = Number.NEGATIVE_INFINITY;
    widths.fill(0);
    if (description.kind !== 'jaws') return;
    turn(grasp, 3, [1, 0, 0], axis);
    for (let row = 0; row < LINES; row++) {
      for (let column = 0; column < LINES; column++) {
        const y = ((row + 0.5) / LINES - 0.5) * description.pad_width_m;
        const z = ((column + 0.5) / LINES - 0.5) * description.pad_height_m;
        turn(grasp, 3, [0, y, z], origin);
        for (let k = 0; k < 3; k++) origin[k]! += grasp[k]!;
        if (!crosses(model.bodies[body]!, states.poses, SOLID_POSE * body, origin, axis)) continue;
        span.lines += 1;
        widths[LINES * row + column] = crossing.leave - crossing.enter;
        span.low = Math.min(span.low, crossing.enter);
        span.high = Math.max(span.high, crossing.leave);
      }
    }
  }

  /** Whether the rim of the cup meets a body. */
  meets({ model, states }: SearchedWorld, body: number): boolean {
    const { description } = this;
    if (description.kind !== 'suction') return false;
    turn(grasp, 3, [0, 0, 1], axis);
    return RIM.every(([x, y]) => {
      turn(grasp, 3, [x * description.radius_m, y * description.radius_m, 0], origin);
      for (let k = 0; k < 3; k++) origin[k]! += grasp[k]!;
      const isMet = crosses(model.bodies[body]!, states.poses, SOLID_POSE * body, origin, axis);
      return isMet && Math.abs(crossing.enter) <= description.reach_m;
    });
  }

  /** The body that a closed gripper was to take and did not get, and why. */
  miss(
    world: GripperWorld,
    target: GraspTarget | null,
  ): { readonly body: number | null; readonly reason: string } {
    const { model, states } = world;
    const taken = this.takenByOther(world);
    if (taken) return taken;
    const isThere = target !== null && states.status[target.body] !== BODY_STATUS.held;
    const body = isThere ? target.body : this.nearest(world);
    if (body === null) return { body, reason: 'there is no object' };
    const { name } = model.bodies[body]!;
    if (states.status[body] === BODY_STATUS.missing) return { body, reason: `${name} is missing` };
    const cause = causeOf(world, body);
    const pushed = isThere ? distanceTo(states.poses, body, target.position) : 0;
    if (pushed > PUSHED_M) {
      return { body, reason: `${name} was pushed ${gapText(pushed)} away${cause}` };
    }
    return { body, reason: this.missReason(world, body) + cause };
  }

  /** A body that another gripper holds where this one would take it. */
  private takenByOther(world: GripperWorld): ReturnType<GraspSearch['miss']> | null {
    const { model, states } = world;
    for (let i = 0; i < model.bodies.length; i++) {
      if (states.status[i] !== BODY_STATUS.held) continue;
      this.measure(world, i);
      if (!isBetween(this.stroke_m) && !this.meets(world, i)) continue;
      return { body: i, reason: `${world.holderOf(i)} holds ${model.bodies[i]!.name}` };
    }
    return null;
  }

  /** The body nearest to the grasp centre that no gripper holds, also a missing one. */
  nearest({ model, states }: SearchedWorld): number | null {
    let nearest = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < model.bodies.length; i++) {
      if (states.status[i] === BODY_STATUS.held) continue;
      relate(grasp, 0, states.poses, SOLID_POSE * i, local);
      const squared = local[0]! * local[0]! + local[1]! * local[1]! + local[2]! * local[2]!;
      if (squared < least) {
        least = squared;
        nearest = i;
      }
    }
    return nearest < 0 ? null : nearest;
  }

  /** Why jaws cannot close on a body that they meet with their ends. */
  blockReason(world: SearchedWorld, body: number): string {
    const reason = this.wideReason(world, body);
    const { name } = world.model.bodies[body]!;
    return (reason ?? `${name} blocks the jaws`) + causeOf(world, body);
  }

  /** That a body is too wide for the jaws; null if it is not. */
  private wideReason({ model, states }: SearchedWorld, body: number): string | null {
    const solid = model.bodies[body]!;
    const wide = ownWidth(solid, states.poses, SOLID_POSE * body);
    if (this.description.kind !== 'jaws' || wide <= this.stroke_m - TIGHT_M) return null;
    const open = gapText(this.stroke_m);
    return `${solid.name} is ${gapText(wide)} wide, the jaws open ${open}`;
  }

  private missReason({ model, states }: SearchedWorld, body: number): string {
    const solid = model.bodies[body]!;
    const at = SOLID_POSE * body;
    const { description } = this;
    const what = description.kind === 'jaws' ? 'jaws closed' : 'cup stood';
    const [height, width] =
      description.kind === 'jaws'
        ? [description.pad_height_m / 2, description.pad_width_m / 2]
        : [description.reach_m, 0];
    relate(grasp, 0, states.poses, at, local);
    const half = [0, 1, 2].map((k) => {
      turn(grasp, 3, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0], axis);
      return extentAlong(solid, states.poses, at, axis);
    });
    const above = local[2]! - half[2]! - height;
    const below = -local[2]! - half[2]! - height;
    const away = [0, 1].map((k) => Math.abs(local[k]!) - half[k]!) as [number, number];
    away[1] -= width;
    const beside = description.kind === 'jaws' ? Math.max(...away) : besideFace(solid, half, away);
    const mm = gapText;
    const { name } = solid;
    const [before, behind] = WORDS[Math.round(approachUp())]!;
    if (beside > Math.max(above, below, 0)) return `${what} ${mm(beside)} beside ${name}`;
    if (above > 0) return `${what} ${mm(above)} ${before} ${name}`;
    if (below > 0) return `${what} ${mm(below)} ${behind} ${name}`;
    const wide = this.wideReason({ model, states }, body);
    if (wide) return wide;
    const face_m = 2 * Math.min(half[0]!, half[1]!);
    if (description.kind === 'suction' && face_m < 2 * description.radius_m) {
      return `${name} is ${mm(face_m)} wide, the cup ${mm(2 * description.radius_m)}`;
    }
    const [x, y] = [local[0]!, description.kind === 'jaws' ? 0 : local[1]!];
    return `${what} ${mm(Math.sqrt(x * x + y * y))} off the middle of ${name}`;
  }
}
