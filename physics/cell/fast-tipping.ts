/**
 * How bodies tip on the fast plant: about the edge of what carries them, or, inclined, about what
 * they stand on. They are turned at once and fall on from there; how fast they turn is not
 * computed.
 */

import { BODY_STATUS, type BodyStates, REST_EVENT, VELOCITY_SIZE } from './body-states.ts';
import type { CellModel } from './cell-model.ts';
import type { FastSupports } from './fast-supports.ts';
import { SOLID_POSE } from './pose.ts';
import type { Point } from './solids/convex-polygon.ts';
import { overlapDepth, type Posed } from './solids/overlap.ts';
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
/** Half of a right angle, as a quaternion has it. */
const HALF_TURN = Math.SQRT1_2;

/** What is not computed of a movement. */
export const DOUBTS = {
  turn: '; how it turned as it fell is not computed',
  impact: '; whether it tumbled on its impact is not computed',
  bounce: '; how it bounced off is not computed',
  lean: '; what it leans on is not computed',
} as const;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const NO_SOLID: Solid = { isRound: false, half: new Float64Array(3) };

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
  tipOver(
    i: number,
    stack: readonly number[],
    about: {
      readonly edge: Point;
      readonly height_m: number;
      readonly way: readonly [number, number, number];
    },
  ): boolean {
    const { announced, poses, status, velocities } = this.states;
    const { edge, height_m, way } = about;
    if (this.turns[i]! >= TURNS_MAX) return false;
    const before = poses.slice();
    const point = [edge[0], edge[1], height_m];
    const turn = [HALF_TURN, -way[1] * HALF_TURN, way[0] * HALF_TURN, 0] as const;
    for (const j of stack) {
      turnAbout(poses, j, point, turn);
      for (let k = 0; k < 2; k++) poses[SOLID_POSE * j + k]! += BESIDE_M * way[k]!;
    }
    if (stack.some((j) => this.depthOf(j, stack) > LEANING_M)) {
      poses.set(before);
      return false;
    }
    for (const j of stack) {
      if (j !== i) {
        announced[j] = REST_EVENT.always;
        this.upright[j] = uprightOf(before, j);
      }
      this.turns[j]! += 1;
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
    const { edge, height_m } = support;
    if (away_m > 0 && this.tipOver(i, stack, { edge, height_m, way })) return true;
    this.states.status[i] = BODY_STATUS.tipped;
    this.doubts[i] = DOUBTS.lean;
    return true;
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
    this.turns[i]! += 1;
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
