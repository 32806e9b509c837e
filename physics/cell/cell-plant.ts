/**
 * The cell in steps of 1 ms, its time, beside a plant: grippers, movable bodies, belts and sensors.
 * The bodies move by the mechanics of the plant (LooseBodies); everything else is the same for both
 * plants. The arm touches fixtures and bodies through the plant's environment forces, and carries
 * what a gripper holds as load.
 */
import type { CellEvent } from '../../contract/types.generated.ts';
import type { Load } from '../dynamics/load.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import { doublesOf, joinNamed, splitNamed } from '../math/byte-sections.ts';
import { length3 } from '../math/vector.ts';
import type { ArmOverlap, EnvironmentForces } from '../plant/environment-forces.ts';
import type { MovableBox } from '../plant/obstacle.ts';
import { ArmBoxes } from './arm-boxes.ts';
import { BODY_STATUS, BodyStates, REST_EVENT } from './body-states.ts';
import type { CarriedBodies } from './carried/carried-bodies.ts';
import { CellEvents } from './cell-events.ts';
import {
  type CellFault,
  clearCellFaults,
  loadCellFaults,
  saveCellFaults,
  setCellFault,
} from './cell-faults.ts';
import { areSealed, type CellModel } from './cell-model.ts';
import type { Gripper } from './grippers/gripper.ts';
import { GripperGroup } from './grippers/gripper-group.ts';
import type { LooseBodies } from './loose-bodies.ts';
import { raiseUntilFree } from './misplacement.ts';
import { Places } from './places.ts';
import { compose, relate, SOLID_POSE } from './pose.ts';
import type { SensedWorld } from './sensors.ts';
import type { SignalLevel } from './signal-level.ts';
import { Signals } from './signals.ts';
import { standOn } from './solids/solids.ts';

/** Sensors are read once in so many steps: a control tick. */
const SENSE_STEPS = 4;
/** A body that comes to rest this much lower has fallen, and one this far away has moved (m). */
const FALLEN_M = 2e-3;
const MOVED_M = 1e-3;
/** Where a body rested: its place, and 1 if it was tipped. */
const REST_SIZE = 4;
/** Creates the mechanics of the movable bodies. */
export type CreateBodies = (model: CellModel, states: BodyStates) => LooseBodies;

/** The part of a gripper in a saved state. */
function gripperPart({ name }: Gripper): string {
  return `gripper ${name}`;
}

export class CellPlant {
  readonly model: CellModel;
  readonly states: BodyStates;
  readonly bodies: LooseBodies;
  private readonly hands: GripperGroup;
  readonly signals: Signals;
  readonly places: Places;
  readonly events: CellEvents;
  private readonly boxes: ArmBoxes;
  /** Steps since the start of the plant; the owner of the plant's time sets it. */
  steps = 0;
  /** Steps that the time of the twin is ahead of that of the plant; its owner sets it too. */
  late_steps = 0;
  /** Why the simulation of the cell cannot go on; null while it can. */
  failure: string | null = null;
  /** Incremented with every step in which something may have changed. */
  revision = 0;
  private readonly before: Float64Array<ArrayBufferLike>;
  /** Where each body rested last, for the events of the next rest. */
  private readonly rests: Float64Array;
  private readonly inputs = new Map<string, SignalLevel>();
  private environment: EnvironmentForces | null = null;
  /** Present angles of the arm (rad). */
  private arm: Float64Array | null = null;
  private readonly sensed: SensedWorld;
  private isQuiet = false;
  /** While the outputs of the arm act, before the step that follows. */
  private isCommanded = false;
  /** Since the sensors looked, which they do every few steps: a gripper has moved, a body has. */
  private isUnsensed = false;
  private hasShifted = false;
  /** True while nothing can change before an output, a person, a fault or the arm acts. */
  private isAsleep = false;

  constructor(model: CellModel, createBodies: CreateBodies) {
    this.model = model;
    this.states = new BodyStates(model);
    this.bodies = createBodies(model, this.states);
    this.signals = new Signals(model);
    this.events = new CellEvents(model, this.states, (name) => this.hands.graspOf(name));
    this.boxes = new ArmBoxes(model, this.states, this.bodies.isFallFree);
    this.before = this.states.status.slice();
    this.rests = new Float64Array(model.bodies.length * REST_SIZE);
    model.bodies.forEach((_, i) => {
      this.noteRest(i);
    });
    this.places = new Places(model, this.states, this.bodies);
    const { states } = this;
    this.hands = new GripperGroup({
      model,
      states,
      bodies: this.bodies,
      report: (kind, by, body, text) => this.report(kind, { body, by, text }),
      onTaken: () => this.boxes.updateAll(),
    });
    this.sensed = {
      model,
      states,
      grippers: this.grippers,
      weightOn: (fixture) => this.places.weightOn(fixture),
      weightIn: (gripper) => this.weightIn(gripper),
      report: (kind, by, body, text) => this.report(kind, { body, by, text }),
    };
    this.signals.writeInputs(this.grippers, this.inputs);
  }

  /**
   * Connects the cell to the forces of a plant, whose obstacles contain `movables`; `q` has the
   * angles of its arm at any time.
   */
  attach(environment: EnvironmentForces, q: Float64Array): void {
    this.environment = environment;
    this.arm = q;
    this.hands.attach(environment);
    this.boxes.attach(environment);
    this.boxes.updateAll();
  }

  /** How body `i` would meet the arm with these poses; null where it would not. */
  armAt(i: number, poses: Float64Array): ArmOverlap | null {
    return this.arm && this.boxes.meets(i, poses, { q: this.arm });
  }

  /** Boxes in place of the movable bodies, for the environment forces. */
  get movables(): readonly MovableBox[] {
    return this.boxes.list;
  }
  get grippers(): readonly Gripper[] {
    return this.hands.list;
  }
  /** What the held bodies carry. */
  get carried(): CarriedBodies {
    return this.hands.carried;
  }
  /** What the grippers and their bodies weigh; a new object after each change. */
  get load(): Load {
    return this.hands.load;
  }
  /** True while grippers, not the declared payload, are the load of the arm. */
  get hasGripper(): boolean {
    return this.hands.list.length > 0;
  }
  /** Values that the cell drives at inputs. */
  get inputValues(): ReadonlyMap<string, SignalLevel> {
    return this.inputs;
  }
  /** True while something in the cell changes by itself. */
  get isActive(): boolean {
    const isGripping = this.hands.isMoving || this.hands.isFailing || this.carried.isActive;
    // What ends within a tick is sensed at its end.
    const isOpen = !this.isQuiet || this.isUnsensed;
    return isOpen || this.bodies.isActive || this.signals.isActive || isGripping;
  }

  /** Follows the outputs of the arm, by name. */
  setOutputs(outputs: Readonly<Record<string, unknown>>): void {
    this.isCommanded = true;
    if (this.hands.command(outputs)) this.isQuiet = false;
    if (this.signals.command(outputs)) this.isQuiet = false;
    this.isCommanded = false;
    this.isAsleep &&= this.isQuiet && !this.hands.isBusy;
  }

  /** Mass of what a gripper holds, with what stands on that (kg). */
  private weightIn(gripper: Gripper): number {
    const bodies = [gripper.holds, ...this.carried.above(gripper.holds)];
    return bodies.reduce((sum, i) => sum + (this.model.bodies[i]?.mass_kg ?? 0), 0);
  }

  /** Advances by 1 ms to arm angles `q` (rad), where the environment forces are those of now. */
  step(q: Float64Array): void {
    this.steps += 1;
    const isTouched = this.environment?.isTouching === true;
    if (this.isAsleep && !isTouched) return;
    const { isBusy } = this.hands;
    if (isBusy && this.hands.step(q)) this.isQuiet = false;
    if (isTouched) this.boxes.push(this.bodies);
    const isMoving = !this.isQuiet || this.bodies.isActive;
    if (isMoving && this.moveBodies()) this.hasShifted = true;
    if (isMoving || this.boxes.isPassing) this.boxes.passThrough(q);
    this.signals.run(1);
    this.isUnsensed ||= isBusy || isTouched; // In any step of the tick, not only its last.
    if (this.steps % SENSE_STEPS !== 0) return;
    this.sense(this.isUnsensed || (isMoving && this.hasShifted));
  }

  /** Lets steps pass in which nothing changes. */
  skip(steps: number): void {
    this.steps += steps;
    this.signals.run(steps);
  }

  private sense(hasMoved: boolean): void {
    for (const i of this.carried.list) {
      if (this.carried.hasSlid(i)) this.places.ride(i, this.carried.carrierOf(i));
    }
    if (hasMoved || this.signals.isActive) {
      this.signals.sense(this.sensed, SENSE_STEPS * PLANT_STEP_S);
      this.signals.writeInputs(this.grippers, this.inputs);
      this.revision += 1;
    }
    this.isQuiet = true;
    this.isUnsensed = false;
    this.hasShifted = false;
    const isStill = !this.hands.isBusy && !this.signals.running.includes(1);
    this.isAsleep = !this.isActive && isStill && !this.boxes.isPassing;
  }

  /** Advances the bodies by 1 ms; false when nothing changes. */
  private moveBodies(): boolean {
    const { status } = this.states;
    const hasMoved = this.bodies.step(this.signals.running);
    if (hasMoved && this.hands.isBusy) this.hands.catchFalling();
    if (!hasMoved && this.isQuiet) return false;
    for (let i = 0; i < status.length; i++) {
      const now = status[i]!;
      // A body can move and come to rest within a step.
      this.boxes.follow(i);
      if (now === this.before[i] && now !== BODY_STATUS.moving) continue;
      const problem = this.states.escapeOf(i);
      const { name } = this.model.bodies[i]!;
      if (problem !== null) this.failure ??= `the simulation of “${name}” failed: ${problem}`;
      if (now === this.before[i]) continue;
      this.before[i] = now;
      this.isQuiet = false;
      if (now === BODY_STATUS.resting || now === BODY_STATUS.tipped) this.onRest(i);
      else if (now === BODY_STATUS.carried) this.places.ride(i, this.carried.carrierOf(i));
      else if (now !== BODY_STATUS.moving) this.places.leave(i);
    }
    this.leavePlaces();
    return true;
  }

  /** A body that begins to move is where it rested until it has gone a little. */
  private leavePlaces(): void {
    const { status } = this.states;
    for (let i = 0; i < status.length; i++) {
      if (status[i] !== BODY_STATUS.moving || !this.places.isKnown(i)) continue;
      if (this.distanceFromRest(i) > MOVED_M) this.places.leave(i);
    }
  }

  private distanceFromRest(i: number): number {
    const { poses } = this.states;
    const [x, y, z] = [0, 1, 2].map(
      (k) => poses[SOLID_POSE * i + k]! - this.rests[REST_SIZE * i + k]!,
    );
    return length3(x!, y!, z!);
  }

  private onRest(i: number): void {
    this.places.arrive(i);
    this.carried.settle(i);
    const { announced, poses, status } = this.states;
    const isTipped = status[i] === BODY_STATUS.tipped;
    const [at, from] = [SOLID_POSE * i, REST_SIZE * i];
    const [x, y, z] = [0, 1, 2].map((k) => poses[at + k]! - this.rests[from + k]!);
    const hasFallen = -z! > FALLEN_M || (isTipped && this.rests[from + 3] !== 1);
    const hasMoved = length3(x!, y!, z!) > MOVED_M;
    const isEvent =
      hasFallen ||
      announced[i] === REST_EVENT.always ||
      (announced[i] === REST_EVENT.ofMove && hasMoved);
    const isPush = announced[i] === REST_EVENT.ofMove;
    announced[i] = REST_EVENT.ofFall;
    // Small pushes add up to a movement.
    if (isPush && !isEvent) return;
    this.noteRest(i);
    if (!isEvent) return;
    const text = this.bodies.doubtOf(i);
    this.report(isTipped ? 'tipped' : 'settled', { body: i, by: null, text });
  }

  private noteRest(i: number): void {
    const { poses, status } = this.states;
    const at = SOLID_POSE * i;
    this.rests.set(poses.subarray(at, at + 3), REST_SIZE * i);
    this.rests[REST_SIZE * i + 3] = status[i] === BODY_STATUS.tipped ? 1 : 0;
  }

  private report(
    kind: CellEvent['kind'],
    about: { readonly body: number | null; readonly by: string | null; readonly text: string },
  ): void {
    const at = about.body === null ? null : this.places.of(about.body);
    // The state before this step is published already: what an output does belongs to the step.
    const steps = this.steps + this.late_steps + (this.isCommanded ? 1 : 0);
    this.events.add({ ...about, kind, at, steps });
  }

  /** The arm was put at angles `q` (rad), at rest; what its grippers hold is there too. */
  placeArm(q: Float64Array): void {
    this.hands.place(q);
    this.boxes.updateAll();
    this.wake();
  }

  /**
   * A person puts a body with its bottom face at a frame, or a fault misplaces it; what is sealed
   * to it goes along.
   */
  move(i: number, frame: Float64Array, isMisplaced = false): void {
    for (const { body, bottom } of this.movedWith(i, frame)) this.put(body, bottom, isMisplaced);
  }

  /** Body `i` with its bottom face at a frame, and all that is sealed to it, where that is then. */
  movedWith(
    i: number,
    frame: Float64Array,
  ): readonly { readonly body: number; readonly bottom: Float64Array }[] {
    const { bodies } = this.model;
    const to = standOn(frame, bodies[i]!, new Float64Array(SOLID_POSE), 0);
    const sealed = this.sealedTo(i).map((body) => {
      const bottom = Float64Array.of(0, 0, -bodies[body]!.half[2]!, 1, 0, 0, 0);
      const pose = new Float64Array(SOLID_POSE);
      relate(this.states.poses, SOLID_POSE * i, this.states.poses, SOLID_POSE * body, pose);
      compose(to, 0, pose, 0, pose);
      compose(pose, 0, bottom, 0, bottom);
      return { body, bottom };
    });
    return [{ body: i, bottom: frame }, ...sealed];
  }

  /** The lid on body `i`, or what it is the lid of, where they are sealed. */
  sealedTo(i: number): readonly number[] {
    const { bodies } = this.model;
    const isOn = (lid: number, object: number) =>
      // A gripper that has the lid carries the object.
      this.places.isOn(bodies[object]!.name, lid) || this.carried.carrierOf(object) === lid;
    return bodies.flatMap((other, j) => {
      const [lid, object] = other.lidOf === i ? [j, i] : [i, j];
      return areSealed(bodies, i, j) && isOn(lid, object) ? [j] : [];
    });
  }

  private put(i: number, frame: Float64Array, isMisplaced: boolean): void {
    this.take(i, 'a person');
    this.bodies.hold(i);
    const { poses, misplaced } = this.states;
    const at = SOLID_POSE * i;
    const before = poses.slice(at, at + 3);
    standOn(frame, this.model.bodies[i]!, poses, at);
    const [x, y, z] = [0, 1, 2].map((k) => poses[at + k]! - before[k]!);
    misplaced[i] = isMisplaced ? length3(x!, y!, z!) : 0;
    this.states.announced[i] = REST_EVENT.always;
    this.bodies.place(i);
    this.refresh(i);
  }

  /** Starts or ends an injected fault of a part; null ends all. */
  setFault(fault: CellFault | null, isOn: boolean): void {
    if (fault) setCellFault(this, fault, isOn);
    else clearCellFaults(this);
    this.wake();
    this.hands.update();
  }

  /** Takes a body out of the cell, or brings it back where it was, above what is there now. */
  setMissing(i: number, isMissing: boolean): void {
    this.take(i, 'a fault');
    this.bodies.hold(i);
    if (isMissing) this.states.status[i] = BODY_STATUS.missing;
    else {
      if (raiseUntilFree(this, i)) this.states.announced[i] = REST_EVENT.always;
      this.bodies.place(i);
    }
    this.refresh(i);
  }

  /** A person or a fault takes a body, out of a gripper too. */
  private take(i: number, who: string): void {
    const holder = this.grippers.find(({ holds }) => holds === i);
    if (holder) this.report('released', { body: i, by: holder.name, text: `${who} took` });
    this.hands.forget(i);
  }

  private refresh(i: number): void {
    this.before[i] = this.states.status[i]!;
    this.places.leave(i);
    this.wake();
    this.hands.update();
    this.boxes.updateAll();
  }

  /** Presses a button, opens a door, or undoes it. */
  setControl(i: number, isActive: boolean): void {
    this.signals.controls[i] = isActive ? 1 : 0;
    this.wake();
    this.signals.writeInputs(this.grippers, this.inputs);
  }

  /** Something was changed from outside. */
  private wake(): void {
    this.isQuiet = false;
    this.isAsleep = false;
    this.revision += 1;
  }

  /** The parts of a saved state, in order. */
  private get partNames(): readonly string[] {
    return ['header', 'states', ...this.grippers.map(gripperPart), 'carried', 'bodies'];
  }

  /** The whole state as bytes. */
  save(): Uint8Array {
    const header = JSON.stringify({
      steps: this.steps,
      signals: this.signals.save(),
      events: this.events.save(),
      places: this.places.save(),
      failure: this.failure,
      isQuiet: this.isQuiet,
      rests: Array.from(this.rests),
      faults: saveCellFaults(this),
    });
    const parts: Record<string, Uint8Array> = {
      header: new TextEncoder().encode(header),
      states: new Uint8Array(this.states.memory.slice().buffer),
      carried: new Uint8Array(this.carried.save().buffer),
      bodies: this.bodies.save(),
    };
    for (const gripper of this.grippers) {
      parts[gripperPart(gripper)] = new Uint8Array(gripper.save().buffer);
    }
    return joinNamed(this.partNames, parts);
  }

  /** Restores the state of `save` into a cell of the same model: the continuation is bit-equal. */
  restore(bytes: Uint8Array): void {
    const parts = splitNamed(this.partNames, bytes);
    const saved = JSON.parse(new TextDecoder().decode(parts['header']));
    const { steps, signals, events, places, failure, isQuiet, faults, rests } = saved;
    loadCellFaults(this, faults);
    this.steps = steps;
    this.signals.load(signals);
    this.events.load(events);
    this.places.load(places);
    this.failure = failure;
    this.states.unreal.clear();
    this.isQuiet = isQuiet;
    this.isAsleep = false;
    this.states.memory.set(doublesOf(parts['states']!));
    this.before.set(this.states.status);
    this.rests.set(rests);
    for (const gripper of this.grippers) gripper.load(doublesOf(parts[gripperPart(gripper)]!));
    this.carried.load(doublesOf(parts['carried']!));
    this.bodies.load(parts['bodies']!);
    this.hands.update();
    this.boxes.updateAll();
    this.signals.writeInputs(this.grippers, this.inputs);
    this.revision += 1;
  }

  free(): void {
    this.bodies.free();
  }
}
