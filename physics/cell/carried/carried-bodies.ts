/**
 * What held bodies carry, on both plants by this one computation: a body that stands on a held or
 * carried one goes with it while friction at their contact and the weight on it keep it there. A
 * contact moves all that is above it. Where that needs more than friction holds, the body slides
 * along the face; where the carrier would have to pull it, or to press on it beside their contact,
 * it comes off and is loose.
 */

import { PLANT_STEP_S } from '../../dynamics/plant-step.ts';
import { length3 } from '../../math/vector.ts';
import { BODY_STATUS, type BodyStates, REST_EVENT, VELOCITY_SIZE } from '../body-states.ts';
import { areSealed, type CellModel } from '../cell-model.ts';
import type { CarriedPart } from '../grippers/carried-part.ts';
import { needText } from '../grippers/force-text.ts';
import type { Gripper } from '../grippers/gripper.ts';
import type { LooseBodies } from '../loose-bodies.ts';
import { millimetres } from '../millimetres.ts';
import { compose, relate, SOLID_POSE, turn, turnBack } from '../pose.ts';
import { CarriedStates, SLIDE_SIZE } from './carried-states.ts';
import {
  alongOf,
  axisOf,
  type ContactArea,
  contactArea,
  type Face,
  isCarried,
  sideOf,
  upperFace,
} from './contact-area.ts';
import { ContactLoads, type ContactNeed } from './contact-loads.ts';

/** Bodies this far apart at most stand on each other (m). */
const TOUCHING_M = 1e-3;
/** A loose body faster than this does not stand (m/s). */
const STANDS_M_S = 0.05;
/** A body that slides again within so many steps goes on sliding. */
const CALM_STEPS = 100;
/** A body that slides or turns more slowly than this no longer does (m/s). */
const STICK_M_S = 1e-4;
/** A slide begins at this speed, to give it its direction (m/s). */
const BEGIN_M_S = 1e-9;

/** What carried bodies need of the cell. */
interface CarryingParts {
  readonly model: CellModel;
  readonly states: BodyStates;
  readonly bodies: LooseBodies;
  readonly grippers: readonly Gripper[];
  readonly report: (
    kind: 'carried' | 'slid' | 'fell_off',
    by: string,
    body: number,
    text: string,
  ) => void;
}

/** Where a loose body would stand on a held or carried one. */
interface Standing {
  readonly carrier: number;
  readonly face: Face;
  readonly area: ContactArea;
}

const place = new Float64Array(SOLID_POSE);
const axis = new Float64Array(3);
const DOWN = [0, 0, -1];

/** Whether gravity draws a body, at a pose in the frame of its carrier, onto their contact. */
function standsOn(
  { area, face }: Pick<Standing, 'area' | 'face'>,
  height_m: number,
  [poses, at]: readonly [Float64Array, number],
): boolean {
  turnBack(poses, at + 3, DOWN, axis);
  const k = axisOf(face);
  const way = (height_m * sideOf(face) - place[k]!) / axis[k]!;
  const [u, v] = alongOf(face);
  return isCarried(area, place[u]! + way * axis[u]!, place[v]! + way * axis[v]!);
}

export class CarriedBodies {
  private readonly parts: CarryingParts;
  private readonly carried: CarriedStates;
  private readonly loads: ContactLoads;
  /** What each gripper feels of it. */
  readonly felt: readonly CarriedPart[];

  constructor(parts: CarryingParts) {
    const { model, states, grippers } = parts;
    this.parts = parts;
    this.carried = new CarriedStates(model);
    this.loads = new ContactLoads(model, states, this.carried);
    const { heldForces, heldMass, heldBorne } = this.carried;
    this.felt = grippers.map(
      (_, g): CarriedPart => ({
        get mass_kg() {
          return heldMass[g]!;
        },
        get borne_kg() {
          return heldBorne[g]!;
        },
        force: heldForces.subarray(3 * g, 3 * g + 3),
        slip: (up_m) => this.carried.motions[g]!.slip(up_m),
      }),
    );
  }

  /** The carried bodies, each after what it stands on. */
  get list(): readonly number[] {
    return this.carried.order;
  }

  /** What stands on a held or carried body, at any height. */
  above(body: number): readonly number[] {
    return body < 0 ? [] : this.carried.above(body);
  }

  /** Number of the body that a carried one stands on; -1 for any other body. */
  carrierOf(i: number): number {
    return this.carried.carrierOf(i);
  }

  /** Whether a carried body slides, or has within the last 100 ms. */
  hasSlid(i: number): boolean {
    return this.carried.calm[i]! < CALM_STEPS;
  }

  /** Number of the gripper that carries body `i`, or -1. */
  gripperOf(i: number): number {
    return this.carried.isCarried(i) ? this.carried.gripper[i]! : -1;
  }

  /** Poses of all that a gripper carries, in the flange frame. */
  posesAt(gripper: number): readonly { readonly body: number; readonly pose: Float64Array }[] {
    const { holds, held } = this.parts.grippers[gripper]!;
    const poses = new Map<number, Float64Array>([[holds, held]]);
    for (const i of this.carried.order) {
      const below = poses.get(this.carried.carrierOf(i));
      if (!below || this.carried.gripper[i] !== gripper) continue;
      const pose = new Float64Array(SOLID_POSE);
      compose(below, 0, this.carried.places, SOLID_POSE * i, pose);
      poses.set(i, pose);
    }
    poses.delete(holds);
    return [...poses].map(([body, pose]) => ({ body, pose }));
  }

  /** A gripper has taken what it holds: all that stands on that goes along. */
  take(gripper: number): void {
    const { carried, parts } = this;
    const { holds } = parts.grippers[gripper]!;
    const { poses } = parts.states;
    carried.motions[gripper]!.reset(poses, SOLID_POSE * holds);
    const taken = [holds];
    for (const carrier of taken) {
      for (let i = 0; i < parts.model.bodies.length; i++) {
        if (!this.isStill(i) || this.isFar(carrier, i)) continue;
        const seal = this.sealOf(carrier, i);
        const standing = seal ?? this.touching(carrier, i);
        if (!standing) continue;
        this.join(gripper, i, { ...standing, carrier });
        if (seal) {
          carried.isSealed[i] = 1;
          this.loads.areas[i] = null;
        }
        taken.push(i);
      }
    }
    carried.sort();
  }

  /** Where a body touches what it stands on; null where it does not. */
  private touching(carrier: number, i: number): Standing | null {
    const standing = this.standingOn(carrier, i);
    return standing && Math.abs(standing.area.gap_m) <= TOUCHING_M ? standing : null;
  }

  /** Where a sealed lid lies on its object, one of which is `i` and the other one moves. */
  private sealOf(carrier: number, i: number): Standing | null {
    const { bodies } = this.parts.model;
    if (!areSealed(bodies, i, carrier)) return null;
    return bodies[i]!.lidOf === carrier ? this.touching(carrier, i) : this.touching(i, carrier);
  }

  /** Whether a body is loose and hardly moves. */
  private isStill(i: number): boolean {
    const { states } = this.parts;
    if (!states.isLoose(i)) return false;
    const [x, y, z] = states.velocities.subarray(VELOCITY_SIZE * i, VELOCITY_SIZE * i + 3);
    return length3(x!, y!, z!) < STANDS_M_S;
  }

  /** Where body `i` stands on another one, however far above it; null where it does not. */
  private standingOn(carrier: number, i: number): Standing | null {
    const { model, states } = this.parts;
    const { poses } = states;
    const [solid, body] = [model.bodies[carrier]!, model.bodies[i]!];
    const face = upperFace(solid, poses, SOLID_POSE * carrier);
    if (face === null || i === carrier) return null;
    relate(poses, SOLID_POSE * carrier, poses, SOLID_POSE * i, place);
    const area = contactArea(solid, face, body, place);
    if (!area) return null;
    const height_m = solid.half[axisOf(face)]!;
    const isOn = standsOn({ area, face }, height_m, [poses, SOLID_POSE * carrier]);
    return isOn ? { carrier, face, area } : null;
  }

  /** A loose body goes along from now on. */
  private join(gripper: number, i: number, { carrier, face, area }: Standing): void {
    const { carried, loads, parts } = this;
    const { bodies, model, states } = parts;
    bodies.hold(i);
    states.status[i] = BODY_STATUS.carried;
    states.velocities.fill(0, VELOCITY_SIZE * i, VELOCITY_SIZE * (i + 1));
    states.announced[i] = REST_EVENT.ofFall;
    carried.carrier[i] = carrier + 1;
    carried.gripper[i] = gripper;
    carried.face[i] = face;
    carried.calm[i] = CALM_STEPS;
    carried.way[i] = 0;
    carried.most[i] = 0;
    carried.slides.fill(0, SLIDE_SIZE * i, SLIDE_SIZE * (i + 1));
    const at = SOLID_POSE * i;
    relate(states.poses, SOLID_POSE * carrier, states.poses, at, carried.places, at);
    loads.areas[i] = area;
    carried.isSealed[i] = 0;
    parts.report('carried', parts.grippers[gripper]!.name, i, model.bodies[carrier]!.name);
  }

  /** A gripper no longer has body `body`: what it carried is loose, as fast as it was. */
  letGo(body: number): void {
    for (const i of [...this.carried.above(body)].reverse()) this.free(i, false);
    this.carried.sort();
  }

  /** A person or a fault takes a body away: what stood on it is loose. */
  forget(body: number): void {
    this.letGo(body);
    this.carried.carrier[body] = 0;
    this.carried.isOff[body] = 0;
    this.carried.sort();
  }

  /** A body rests: what it came off may carry it again. */
  settle(i: number): void {
    this.carried.isOff[i] = 0;
  }

  /** A carried body is loose from now on. */
  private free(i: number, turns: boolean): void {
    const { carried, parts } = this;
    const { poses, velocities, announced } = parts.states;
    const motion = carried.motions[carried.gripper[i]!]!;
    const v = VELOCITY_SIZE * i;
    motion.writeVelocityAt(poses, SOLID_POSE * i, velocities, v);
    velocities.set(motion.spin, v + 3);
    for (let j = i; carried.isCarried(j); j = carried.carrierOf(j)) this.addSlide(j, v);
    carried.carrier[i] = 0;
    announced[i] = REST_EVENT.always;
    // It may have slid into a finger: what is carried does not feel the arm.
    if (!turns) parts.states.inArm[i] = 1;
    parts.bodies.release(i, turns);
  }

  /** Adds the speed of a slide to the velocity at `v`. */
  private addSlide(i: number, v: number): void {
    const { carried, parts } = this;
    const { poses, velocities } = parts.states;
    const at = SLIDE_SIZE * i;
    const face = carried.face[i]!;
    for (const [k, along] of [...alongOf(face), axisOf(face)].entries()) {
      axis.fill(0);
      axis[along] = k === 2 ? sideOf(face) : 1;
      turn(poses, SOLID_POSE * carried.carrierOf(i) + 3, axis, axis);
      const to = k === 2 ? v + 3 : v;
      for (let m = 0; m < 3; m++) velocities[to + m]! += carried.slides[at + k]! * axis[m]!;
    }
  }

  /** Puts all carried bodies where what they stand on is. */
  private follow(): void {
    const { carried, parts } = this;
    const { poses } = parts.states;
    for (const i of carried.order) {
      const at = SOLID_POSE * i;
      compose(poses, SOLID_POSE * carried.carrierOf(i), carried.places, at, poses, at);
    }
  }

  /** Puts all carried bodies where what they stand on is, at rest. */
  place(): void {
    const { carried, parts } = this;
    this.follow();
    carried.slides.fill(0);
    parts.grippers.forEach(({ holds }, g) => {
      if (holds >= 0) carried.motions[g]!.reset(parts.states.poses, SOLID_POSE * holds);
    });
  }

  /**
   * Advances by 1 ms, after what is held has moved; true where a body has slid or come off.
   * Precondition: there are carried bodies, or a gripper holds something.
   */
  step(): boolean {
    const { carried, loads, parts } = this;
    for (let g = 0; g < parts.grippers.length; g++) {
      const { holds } = parts.grippers[g]!;
      if (holds >= 0) carried.motions[g]!.update(parts.states.poses, SOLID_POSE * holds);
    }
    if (carried.order.length === 0) return false;
    this.follow();
    loads.update();
    for (let i = this.firstToSlide(); i >= 0; i = this.firstToSlide()) {
      this.begin(i);
      loads.update();
    }
    for (const i of carried.order) if (!loads.isSliding(i)) this.countCalm(i);
    let hasMoved = false;
    for (const i of carried.order) if (this.slide(i)) hasMoved = true;
    return this.comeOff() || hasMoved;
  }

  /** True while something slides, or may soon: the motion of what carries it is not yet known. */
  get isActive(): boolean {
    return this.carried.order.some((i) => this.loads.isSliding(i) || !this.isKnown(i));
  }

  private isKnown(i: number): boolean {
    return this.carried.motions[this.carried.gripper[i]!]!.isKnown;
  }

  /**
   * The body whose contact needs most of what friction holds there, and more than that; -1 for none.
   * What slides holds back or takes along no more than its friction: another one may then hold.
   */
  private firstToSlide(): number {
    const { carried, loads } = this;
    let [first, most] = [-1, 1];
    for (const i of carried.order) {
      if (carried.isSealed[i] === 1 || !this.isKnown(i) || loads.isSliding(i)) continue;
      const { needed_n, most_n } = loads.needOf(i);
      const share = needed_n / most_n;
      if (needed_n <= most_n || share <= most) continue;
      first = i;
      most = share;
    }
    return first;
  }

  /** Lets a body slide. */
  private begin(i: number): void {
    const { carried, loads } = this;
    const need = loads.needOf(i);
    const radius = loads.areas[i]!.radius_m;
    for (let k = 0; k < SLIDE_SIZE; k++) {
      const part = (-BEGIN_M_S * need.along[k]!) / need.needed_n;
      carried.slides[SLIDE_SIZE * i + k] = k < 2 ? part : part / radius;
    }
    if (carried.calm[i]! >= CALM_STEPS) this.reportSlide(i, need);
    carried.calm[i] = 0;
  }

  /** Counts the steps in which a body has not slid; after enough of them its slide is over. */
  private countCalm(i: number): void {
    const { carried } = this;
    carried.calm[i]! += 1;
    if (carried.calm[i] !== CALM_STEPS || carried.way[i] === 0) return;
    const on = this.nameOf(carried.carrierOf(i));
    const way = millimetres(carried.way[i]!);
    this.report('slid', i, `slid ${way} on ${on} in all: ${this.mostText(i)}`);
  }

  /** What slides needed at most since the body is carried. */
  private mostText(i: number): string {
    return `${Number(this.carried.most[i]!.toPrecision(3))} N needed at most`;
  }

  /** How a body that slides leaves its carrier. */
  private slideText(i: number): string {
    const way_m = this.carried.way[i]!;
    const way = way_m === 0 ? '' : ` after ${millimetres(way_m)}, ${this.mostText(i)}`;
    return `it slid over the edge${way}`;
  }

  private nameOf(i: number): string {
    return this.parts.model.bodies[i]!.name;
  }

  private reportSlide(i: number, need: ContactNeed): void {
    const on = this.nameOf(this.carried.carrierOf(i));
    const force = needText(need, this.loads.balanceOf(i, need), { holder: 'friction' });
    this.report('slid', i, `slid on ${on}: ${force}`);
  }

  private report(kind: 'slid' | 'fell_off', i: number, text: string): void {
    const { grippers, report } = this.parts;
    report(kind, grippers[this.carried.gripper[i]!]!.name, i, text);
  }

  /** Slides a body for a step; true where it slides. */
  private slide(i: number): boolean {
    const { carried, loads } = this;
    if (!loads.isSliding(i)) return false;
    carried.calm[i] = 0;
    const at = SLIDE_SIZE * i;
    const { slideRates } = loads;
    const radius = loads.areas[i]!.radius_m;
    const { needed_n, most_n } = loads.needOf(i);
    let [along, speed] = [0, 0];
    for (let k = 0; k < SLIDE_SIZE; k++) {
      const scale = k < 2 ? 1 : radius * radius;
      const before = carried.slides[at + k]!;
      const now = before + slideRates[at + k]! * PLANT_STEP_S;
      along += scale * before * now;
      speed += scale * now * now;
      carried.slides[at + k] = now;
    }
    const isOver = along <= 0 || speed < STICK_M_S * STICK_M_S;
    if (needed_n <= most_n && isOver) carried.slides.fill(0, at, at + SLIDE_SIZE);
    this.shift(i);
    const [u, v] = [carried.slides[at]!, carried.slides[at + 1]!];
    carried.way[i]! += length3(u, v, 0) * PLANT_STEP_S;
    carried.most[i] = Math.max(carried.most[i]!, needed_n);
    return true;
  }

  /** Moves a body on its carrier by a step of its slide. */
  private shift(i: number): void {
    const { carried, loads, parts } = this;
    const { places, slides } = carried;
    const face = carried.face[i]! as Face;
    const [u, v] = alongOf(face);
    const [at, from] = [SOLID_POSE * i, SLIDE_SIZE * i];
    places[at + u]! += slides[from]! * PLANT_STEP_S;
    places[at + v]! += slides[from + 1]! * PLANT_STEP_S;
    const half = (slides[from + 2]! * PLANT_STEP_S * sideOf(face)) / 2;
    if (half !== 0) {
      place.fill(0);
      place[3] = 1;
      place[4 + axisOf(face)] = half;
      // Turns the body where it is: the position stays.
      const [x, y, z] = [places[at]!, places[at + 1]!, places[at + 2]!];
      compose(place, 0, places, at, places, at);
      places.set([x, y, z], at);
    }
    const { bodies } = parts.model;
    const carrier = bodies[carried.carrierOf(i)]!;
    loads.areas[i] = contactArea(carrier, face, bodies[i]!, places, at);
  }

  /** Lets go what its carrier no longer presses on; true where something came off. */
  private comeOff(): boolean {
    const { carried } = this;
    let hasLost = false;
    for (const i of carried.order) {
      if (!carried.isCarried(i) || carried.isSealed[i] === 1) continue;
      const reason = this.lossOf(i);
      if (reason === null) continue;
      hasLost = true;
      const on = this.nameOf(carried.carrierOf(i));
      this.report('fell_off', i, `fell off ${on}: ${reason}`);
      for (const j of [i, ...carried.above(i)].reverse()) {
        carried.isOff[j] = 1;
        this.free(j, true);
      }
    }
    if (hasLost) carried.sort();
    return hasLost;
  }

  /** Why a body is no longer carried; null while it is. */
  private lossOf(i: number): string | null {
    const { loads } = this;
    const area = loads.areas[i];
    if (!area) return this.slideText(i);
    if (!this.isKnown(i)) return null;
    const { force_n, at } = loads.pressureOn(i);
    if (force_n <= 0) return 'nothing pressed it on';
    if (isCarried(area, ...at)) return null;
    if (loads.isSliding(i)) return this.slideText(i);
    return area.isThin ? 'it rolled off' : 'it tipped over the edge';
  }

  /** What falls onto held and carried bodies goes along with them; true where one landed. */
  catchFalling(): boolean {
    const { carried, parts } = this;
    const { status } = parts.states;
    let hasLanded = false;
    for (let i = 0; i < status.length; i++) {
      if (status[i] !== BODY_STATUS.moving || carried.isOff[i] === 1) continue;
      for (let g = 0; g < parts.grippers.length; g++) {
        const { holds } = parts.grippers[g]!;
        if (holds < 0) continue;
        const isOnCarried = (j: number) => carried.gripper[j] === g && this.lands(g, j, i);
        if (!this.lands(g, holds, i) && !carried.order.some(isOnCarried)) continue;
        hasLanded = true;
        break;
      }
    }
    if (hasLanded) carried.sort();
    return hasLanded;
  }

  /** Whether a moving body has come down on another one in this step; it then goes along. */
  private lands(gripper: number, carrier: number, i: number): boolean {
    const { carried, parts } = this;
    const { poses, velocities } = parts.states;
    if (this.isFar(carrier, i)) return false;
    const standing = this.standingOn(carrier, i);
    if (!standing) return false;
    const motion = carried.motions[gripper]!;
    const relative = new Float64Array(3);
    motion.writeVelocityAt(poses, SOLID_POSE * i, relative, 0);
    for (let k = 0; k < 3; k++) relative[k] = velocities[VELOCITY_SIZE * i + k]! - relative[k]!;
    turnBack(poses, SOLID_POSE * carrier + 3, relative, relative);
    const { face, area } = standing;
    const closing = -sideOf(face) * relative[axisOf(face)]!;
    const deepest = TOUCHING_M + Math.max(0, closing) * PLANT_STEP_S;
    if (closing < 0 || area.gap_m > 0 || area.gap_m < -deepest) return false;
    this.join(gripper, i, standing);
    carried.places[SOLID_POSE * i + axisOf(face)]! -= sideOf(face) * area.gap_m;
    const [u, v] = alongOf(face);
    carried.slides.set([relative[u]!, relative[v]!], SLIDE_SIZE * i);
    return true;
  }

  private isFar(a: number, b: number): boolean {
    const { model, states } = this.parts;
    const reach = [a, b].map((i) => {
      const { half } = model.bodies[i]!;
      return length3(half[0]!, half[1]!, half[2]!);
    });
    const [x, y, z] = [0, 1, 2].map(
      (k) => states.poses[SOLID_POSE * a + k]! - states.poses[SOLID_POSE * b + k]!,
    );
    return length3(x!, y!, z!) > reach[0]! + reach[1]! + TOUCHING_M;
  }

  save(): Float64Array<ArrayBuffer> {
    return this.carried.memory.slice();
  }

  load(memory: Float64Array): void {
    const { carried, loads, parts } = this;
    const { bodies } = parts.model;
    carried.load(memory);
    loads.areas.fill(null);
    for (const i of carried.order) {
      const carrier = bodies[carried.carrierOf(i)]!;
      const face = carried.face[i]! as Face;
      const isSealed = carried.isSealed[i] === 1;
      const area = contactArea(carrier, face, bodies[i]!, carried.places, SOLID_POSE * i);
      loads.areas[i] = isSealed ? null : area;
    }
  }
}
