/**
 * How bodies tip on the fast plant: about the edge of what carries them, or, inclined, about what
 * they stand on. They are turned at once and fall on from there; how fast they turn is not
 * computed.
 */

import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { cos, PI, sin } from '../math/portable.ts';
import type { Numbers } from '../math/vector.ts';
import { BODY_STATUS, type BodyStates, REST_EVENT, VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { FastSupports } from './fast-supports.ts';
import { SOLID_POSE } from './pose.ts';
import type { Point } from './solids/convex-polygon.ts';
import { extentAlong, overlapDepth, type Posed } from './solids/overlap.ts';
import { heightOf, type Solid } from './solids/solids.ts';
import type { Support } from './support.ts';
import { hasTipped, layOnFace, turnAbout, uprightOf } from './tipping.ts';

/** Overlap of bodies that touch (m). */
const BLOCKED_M = 1e-5;
/** A body that is turned may lie in others by this much (m; own). */
const LEANING_M = 1e-3;
/** A body beside the edge about which it has tipped is this far from it (m; own). */
const BESIDE_M = 2e-4;
/** After so many turns in one fall a body stays as it is. */
const TURNS_MAX = 8;
/** A body that tips lies on its next face after this angle (rad). */
const TIPPED_RAD = PI / 2;
/** How far a body turns until it leans on something is found by so many halvings of that angle. */
const LEAN_HALVINGS = 10;

/** What is not computed of a movement. */
export const DOUBTS = {
  turn: '; how it turned as it fell is not computed',
  impact: '; whether it tumbled on its impact is not computed',
  bounce: '; how it bounced off is not computed',
  lean: '; what it leans on is not computed',
  press: '; how it turned where it was pressed beyond its edge is not computed',
} as const;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const NO_SOLID: Solid = { isRound: false, half: new Float64Array(3) };

/** The edge about which a body tips, and the way it falls (x, y; unit vector). */
interface Edge {
  readonly edge: Point;
  readonly height_m: number;
  readonly way: readonly [number, number, number];
}

interface TippingParts {
  readonly model: CellModel;
  readonly states: BodyStates;
  readonly supports: FastSupports;
}

export class FastTipping {
  private readonly model: CellModel;
  private readonly states: BodyStates;
  private readonly supports: FastSupports;
  /** Two bodies that are compared. */
  private readonly own: Writable<Posed>;
  private readonly other: Writable<Posed>;
  /** How upright each body was when it began to move, and its turns since. */
  private upright: number[];
  private turns: number[];
  /** What is not computed of the present movement of each body, as the end of a sentence. */
  doubts: string[];

  constructor({ model, states, supports }: TippingParts) {
    this.model = model;
    this.states = states;
    this.supports = supports;
    this.own = { solid: NO_SOLID, pose: states.poses, at: 0 };
    this.other = { ...this.own };
    this.upright = model.bodies.map((_, i) => uprightOf(states.poses, i));
    this.turns = model.bodies.map(() => 0);
    this.doubts = model.bodies.map(() => '');
  }

  /** A movement of a body begins. */
  begin(i: number): void {
    if (this.states.status[i] === BODY_STATUS.moving) return;
    this.upright[i] = uprightOf(this.states.poses, i);
    this.turns[i] = 0;
    this.doubts[i] = '';
  }

  /** A movement of a body ends; whether it has fallen over. */
  end(i: number): boolean {
    const now = uprightOf(this.states.poses, i);
    const hasFallen = hasTipped(this.upright[i]!, now);
    this.upright[i] = now;
    this.turns[i] = 0;
    return hasFallen;
  }

  /**
   * Turns a stack by a right angle about an edge, as a rigid body, so that it falls beside that;
   * false where something is in its way.
   */
  tipOver(i: number, stack: readonly number[], about: Edge): boolean {
    if (this.turns[i]! >= TURNS_MAX) return false;
    const before = this.states.poses.slice();
    this.turnStack(stack, about, TIPPED_RAD);
    return this.fallsOn(i, stack, before);
  }

  /** Moves a stack off the edge as it stands, where it has no room to turn; false where it cannot. */
  private slipOff(i: number, stack: readonly number[], { edge, way }: Edge): boolean {
    const { poses } = this.states;
    const before = poses.slice();
    const at = SOLID_POSE * i;
    const back = [-way[0], -way[1], 0] as const;
    const behind_m =
      extentAlong(this.model.bodies[i]!, poses, at, back) -
      (poses[at]! - edge[0]) * way[0] -
      (poses[at + 1]! - edge[1]) * way[1];
    this.shiftStack(stack, way, behind_m + BESIDE_M);
    return this.fallsOn(i, stack, before);
  }

  /** How far a stack can turn about an edge until it leans on something (rad). */
  private leanOf(stack: readonly number[], about: Edge): number {
    const before = this.states.poses.slice();
    let [free, blocked] = [0, TIPPED_RAD];
    for (let k = 0; k < LEAN_HALVINGS; k++) {
      const angle = (free + blocked) / 2;
      this.turnStack(stack, about, angle);
      if (this.isFree(stack)) free = angle;
      else blocked = angle;
      this.states.poses.set(before);
    }
    return free;
  }

  /**
   * A stack that has no room to tip turns until it leans on something. Where it is then too steep
   * for friction it slips off the edge, unless something is in the way of that, too; true where it
   * does.
   */
  private leanOver(i: number, stack: readonly number[], about: Edge): boolean {
    if (this.turns[i]! >= TURNS_MAX) return false;
    const angle = this.leanOf(stack, about);
    const friction = this.supports.frictionOn(i, this.supports.of(i) ?? null);
    const isSteep = sin(angle) > friction * cos(angle);
    if (isSteep && this.slipOff(i, stack, about)) return true;
    this.turnStack(stack, about, angle);
    this.noteTurn(stack);
    return false;
  }

  private turnStack(stack: readonly number[], { edge, height_m, way }: Edge, angle: number): void {
    const point = [edge[0], edge[1], height_m];
    const s = sin(angle / 2);
    for (const j of stack) {
      turnAbout(this.states.poses, j, point, [cos(angle / 2), -way[1] * s, way[0] * s, 0]);
    }
    this.shiftStack(stack, way, BESIDE_M);
  }

  private shiftStack(stack: readonly number[], way: Edge['way'], by_m: number): void {
    const { poses } = this.states;
    for (const j of stack) {
      for (let k = 0; k < 2; k++) poses[SOLID_POSE * j + k]! += by_m * way[k]!;
    }
  }

  /** Bodies were turned at once, into the arm perhaps: it does not feel that. */
  private noteTurn(stack: readonly number[]): void {
    for (const j of stack) {
      this.turns[j]! += 1;
      this.states.inArm[j] = 1;
    }
  }

  private isFree(stack: readonly number[]): boolean {
    return stack.every((j) => this.depthOf(j, stack) <= LEANING_M);
  }

  /** Lets a stack fall on from its present poses, or puts it back where they are not free. */
  private fallsOn(i: number, stack: readonly number[], before: Float64Array): boolean {
    const { announced, poses, status, velocities } = this.states;
    if (!this.isFree(stack)) {
      poses.set(before);
      return false;
    }
    this.noteTurn(stack);
    for (const j of stack) {
      if (j !== i) {
        announced[j] = REST_EVENT.always;
        this.upright[j] = uprightOf(before, j);
      }
      this.doubts[j] = DOUBTS.turn;
      this.supports.forget(j);
      status[j] = BODY_STATUS.moving;
      velocities.fill(0, VELOCITY_SIZE * j, VELOCITY_SIZE * (j + 1));
    }
    return true;
  }

  /** How deep a body lies in anything beside `stack` (m). */
  private depthOf(i: number, stack: readonly number[]): number {
    const { own, other, states } = this;
    const { bodies, statics } = this.model;
    own.solid = bodies[i]!;
    own.at = SOLID_POSE * i;
    let deepest = 0;
    other.at = 0;
    for (const solid of statics) {
      other.solid = solid;
      other.pose = solid.pose;
      deepest = Math.max(deepest, overlapDepth(own, other, BLOCKED_M));
    }
    other.pose = states.poses;
    for (let j = 0; j < bodies.length; j++) {
      if (stack.includes(j) || !states.isLoose(j)) continue;
      other.solid = bodies[j]!;
      other.at = SOLID_POSE * j;
      deepest = Math.max(deepest, overlapDepth(own, other, BLOCKED_M));
    }
    // Nothing is below the floor.
    return Math.max(
      deepest,
      heightOf(this.model.bodies[i]!, this.states.poses, SOLID_POSE * i) -
        states.poses[SOLID_POSE * i + 2]!,
    );
  }

  /** Lets a body tip about the edge of its support where its weight acts beyond that. */
  tips(i: number): boolean {
    const stack = this.supports.stackOn(i);
    const centre = this.supports.centreOf(stack);
    const own = this.supports.of(i);
    const support = stack.length === 1 ? own : this.supports.find(i, centre);
    if (support?.edge === undefined) return false;
    const [x, y] = [centre[0] - support.edge[0], centre[1] - support.edge[1]];
    const away_m = Math.sqrt(x * x + y * y);
    const way = [x / away_m, y / away_m, 0] as const;
    const about = { edge: support.edge, height_m: support.height_m, way };
    if (away_m > 0) {
      if (this.tipOver(i, stack, about)) return true;
      // What flies past is out of its way in a moment.
      if (this.isAnyFlying(i)) {
        this.states.status[i] = BODY_STATUS.moving;
        return true;
      }
      if (this.leanOver(i, stack, about)) return true;
    }
    this.states.status[i] = BODY_STATUS.tipped;
    this.doubts[i] = DOUBTS.lean;
    return true;
  }

  /** Whether a force downwards at a point, with the weight on it, tips a body off its support. */
  givesWay(i: number, force_n: number, point: Numbers): boolean {
    if (force_n <= 0) return false;
    const stack = this.supports.stackOn(i);
    const [x, y] = this.supports.centreOf(stack);
    const mass_kg = stack.reduce((sum, j) => sum + this.model.bodies[j]!.mass_kg, 0);
    const share = force_n / (force_n + mass_kg * GRAVITY_M_S2);
    const centre = [x + share * (point[0]! - x), y + share * (point[1]! - y)] as const;
    const support = this.supports.find(i, centre);
    return support?.isLevel === true && !support.isStable;
  }

  private isAnyFlying(except: number): boolean {
    const { status, velocities } = this.states;
    return status.some(
      (now, j) =>
        j !== except && now === BODY_STATUS.moving && velocities[VELOCITY_SIZE * j + 2] !== 0,
    );
  }

  /** Whether a body leans on something. */
  leans(i: number): boolean {
    return this.states.status[i] === BODY_STATUS.tipped && this.doubts[i] === DOUBTS.lean;
  }

  /** What carries a body that has come to it may tip with it, and so on below. */
  tipsBelow(i: number): void {
    for (let k = i; k >= 0; k = this.supports.of(k)?.body ?? -1) {
      if (this.states.status[k] === BODY_STATUS.moving) return;
      this.supports.look(k);
      if (this.tips(k)) return;
    }
  }

  /**
   * Turns an inclined body onto a face, from where it may fall on; true where something that it
   * leans on is in its way.
   */
  lay(i: number, support: Support): boolean {
    const { poses } = this.states;
    const before = poses.slice(SOLID_POSE * i, SOLID_POSE * (i + 1));
    if (!layOnFace(this.model.bodies[i]!, poses, i)) return false;
    poses[SOLID_POSE * i + 2] =
      support.height_m + heightOf(this.model.bodies[i]!, this.states.poses, SOLID_POSE * i);
    this.noteTurn([i]);
    if (this.turns[i]! > TURNS_MAX || this.depthOf(i, [i]) > LEANING_M) {
      poses.set(before, SOLID_POSE * i);
      this.doubts[i] = DOUBTS.lean;
      return true;
    }
    this.supports.forget(i);
    return false;
  }

  save() {
    const { upright, turns, doubts } = this;
    return { upright, turns, doubts };
  }

  load({ upright, turns, doubts }: ReturnType<FastTipping['save']>): void {
    this.upright = upright;
    this.turns = turns;
    this.doubts = doubts;
  }
}
