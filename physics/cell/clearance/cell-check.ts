/**
 * Checks a built toolpath against a cell: goes through the steps of one loop, with every branch,
 * and sweeps the arm, its tool and what it holds through what stands. Grippers take and release
 * objects as in the simulation. What is meant to be touched is known from that: the object that is
 * taken, and what an object stands on or against where it is taken and where it is released.
 */

import type { ToolShape } from '../../collision/scene.ts';
import type { TimeProfile } from '../../motion/time-profile.ts';
import { timeAtPosition } from '../../motion/time-profile.ts';
import { conditionHolds } from '../../toolpath/conditions.ts';
import {
  END_OF_LOOP,
  type PlannedMove,
  type Program,
  type ProgramStep,
  type StepIndex,
} from '../../toolpath/program.ts';
import type { SignalAddress } from '../../toolpath/signal-address.ts';
import type { CellModel } from '../cell-model.ts';
import { OVERLAP_M } from '../place-problems.ts';
import { type CellFinding, findingOf } from './cell-finding.ts';
import { bodyCount } from './checked-against.ts';
import { ClearanceSweep, type ContactWatch, type Near } from './clearance-sweep.ts';
import { heldGroup, linkSolids, type MovingSolid, toolSolids } from './moving-solid.ts';
import { type StandingSolid, staticSolids } from './standing-solid.ts';
import { type Handover, StillCell, type StillState } from './still-cell.ts';

/** A contact that was not meant, at any depth. */
const NOT_MEANT = Number.NEGATIVE_INFINITY;

/** The parts of a program that a check walks through. */
type Steps = Pick<Program, 'home' | 'steps' | 'first'>;

/** The result of a check. */
export interface CellCheck {
  /** How many fixtures, conveyors and objects the cell has. */
  readonly parts: number;
  /** What is in the cell and was not looked at, each with the reason. */
  readonly unknown: readonly string[];
  /** In the order of time. */
  readonly findings: readonly CellFinding[];
}

/** A group of moving parts that is near something, until they part. */
interface Contact {
  readonly moving: MovingSolid;
  readonly standing: StandingSolid;
  readonly at: string;
  readonly cell: readonly number[];
  readonly time_s: number;
  readonly into_s: number;
  readonly point: readonly [number, number, number];
  readonly deepest_m: number;
  /** The depth up to which it is meant (m). */
  readonly meant_m: number;
}

type Contacts = ReadonlyMap<string, Contact>;

/** Where a walk through the steps goes on. */
interface Visit {
  readonly step: StepIndex;
  readonly q: Float64Array;
  readonly time_s: number;
  readonly still: StillState;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly contacts: Contacts;
}

/** The end of a path (rad). */
function endOf({ path }: PlannedMove): Float64Array {
  return path.kind === 'line' ? path.end : path.q.slice(-6);
}

/** The name of a signal, as the parts of a cell have it. */
function signalKey({ location, type, index }: SignalAddress): string {
  const key = `${type === 'digital' ? 'd' : 'a'}${index}`;
  return location === 'base' ? key : `ee_${key}`;
}

/** Touching is meant there, as deep as bodies of a cell may lie in each other. */
const touched = (contact: Contact): Contact => ({
  ...contact,
  meant_m: Math.max(contact.meant_m, OVERLAP_M),
});

class CellWalk {
  readonly findings = new Map<string, CellFinding>();
  readonly unknown: readonly string[];
  private readonly program: Steps;
  private readonly still: StillCell;
  private readonly tool: readonly MovingSolid[];
  private readonly statics: readonly StandingSolid[];
  private readonly visited = new Set<string>();
  private sweep = new ClearanceSweep([], []);
  private contacts = new Map<string, Contact>();
  private outputs: Readonly<Record<string, unknown>> = {};
  private q: Float64Array;
  private time_s = 0;

  constructor(program: Steps, tool: ToolShape | undefined, still: StillCell) {
    const { model } = still;
    this.program = program;
    this.still = still;
    this.unknown = still.unknownPlaces;
    this.tool = toolSolids(tool);
    this.statics = staticSolids(model);
    this.q = program.home;
  }

  /** Walks through all steps that a loop can reach. */
  run(): void {
    const { program, still } = this;
    still.command({}, program.home);
    const open: Visit[] = [this.visit(program.first)];
    for (let visit = open.pop(); visit; visit = open.pop()) {
      this.enter(visit);
      const branches = this.walk(visit.step);
      // The last one in is the next one out: branches in the order of the toolpath.
      for (const step of [...branches].reverse()) open.push(this.visit(step));
    }
  }

  private visit(step: StepIndex): Visit {
    const { q, time_s, outputs } = this;
    return { step, q, time_s, outputs, still: this.still.save(), contacts: new Map(this.contacts) };
  }

  private enter({ q, time_s, outputs, still, contacts, step }: Visit): void {
    this.still.load(still);
    this.q = q;
    this.time_s = time_s;
    this.outputs = outputs;
    this.contacts = new Map(contacts);
    this.arrange();
    this.look(this.program.steps[step] ?? null);
  }

  /** Walks until a loop ends or branches; returns the first steps of the branches. */
  private walk(from: StepIndex): ReadonlySet<StepIndex> {
    let index = from;
    for (;;) {
      const step = this.program.steps[index];
      if (index === END_OF_LOOP || !step || this.isKnown(index)) break;
      if (step.kind === 'branch') {
        return this.branchesOf(step);
      }
      this.play(step);
      if (!('next' in step)) break;
      index = step.next;
    }
    for (const contact of this.contacts.values()) this.settle(contact);
    return new Set();
  }

  /** The branches that may be taken: what grippers hold decides the conditions on that. */
  private branchesOf(step: Extract<ProgramStep, { kind: 'branch' }>): ReadonlySet<StepIndex> {
    const inputs = this.still.inputs();
    const read = (side: 'inputs' | 'outputs', io: SignalAddress) =>
      side === 'inputs' ? inputs.get(signalKey(io)) : undefined;
    const taken = new Set<StepIndex>();
    for (const { condition, next } of step.branches) {
      const isKnown = condition.type === 'input' && read('inputs', condition.io) !== undefined;
      const holds = !isKnown || conditionHolds(condition, { elapsed_s: 0, read });
      if (holds) taken.add(next);
      if (holds && isKnown) return taken;
    }
    return taken.add(step.otherwise);
  }

  /** Whether a walk came to a step before, with the same in the grippers. */
  private isKnown(index: StepIndex): boolean {
    const { holds, closed } = this.still;
    const key = [index, holds, closed, [...this.contacts.keys()].sort()].join(' ');
    const isKnown = this.visited.has(key);
    this.visited.add(key);
    return isKnown;
  }

  private play(step: ProgramStep): void {
    switch (step.kind) {
      case 'move':
      case 'return':
        this.sweep.follow(step.move.path, this.watch(step, step.move.automatic));
        this.time_s += step.move.automatic.duration_s;
        this.q = endOf(step.move);
        return;
      case 'output':
        this.outputs = { ...this.outputs, [signalKey(step.io)]: step.value };
        this.command(step);
        return;
      case 'wait':
        if (step.condition.type === 'time') this.time_s += step.condition.duration;
        return;
      case 'branch':
      case 'restart':
    }
  }

  /** Puts what moves and stands now into a new sweep. */
  private arrange(): void {
    const moving = [...linkSolids(), ...this.tool, ...this.still.movingSolids()];
    this.sweep = new ClearanceSweep(moving, [...this.statics, ...this.still.standingSolids()]);
  }

  /** Looks around at rest; closes contacts that are none. Returns what is near. */
  private look(step: ProgramStep | null): ReadonlySet<string> {
    const seen = new Set<string>();
    const watch = this.watch(step, null);
    this.sweep.look(this.q, {
      ...watch,
      near: (near, s) => {
        seen.add(contactKey(near));
        watch.near(near, s);
      },
    });
    for (const key of [...this.contacts.keys()]) if (!seen.has(key)) this.close(key);
    return seen;
  }

  /** Lets the grippers follow the outputs. */
  private command(step: ProgramStep): void {
    const closed = this.still.closed.join();
    const handovers = this.still.command(this.outputs, this.q);
    if (handovers.length === 0 && closed === this.still.closed.join()) return;
    const beside = new Set<string>();
    for (const handover of handovers) this.handOver(handover, beside);
    this.arrange();
    const seen = this.look(step);
    const groups = handovers.filter(({ isTaken }) => isTaken).map((one) => this.groupOf(one));
    for (const key of seen) {
      const contact = this.contacts.get(key)!;
      if (!groups.includes(contact.moving.group)) continue;
      beside.add(contact.standing.key);
      this.contacts.set(key, touched(contact));
    }
    for (const [key, contact] of this.contacts) {
      if (contact.moving.kind !== 'tool') continue;
      const { standing } = contact;
      const isReleased = handovers.some(
        ({ body, isTaken, isRider }) => !isTaken && !isRider && body === standing.body,
      );
      if (isReleased) this.contacts.set(key, { ...contact, meant_m: Number.POSITIVE_INFINITY });
      else if (beside.has(standing.key)) this.contacts.set(key, touched(contact));
    }
  }

  private groupOf({ body }: Handover): string {
    return heldGroup(this.still.model.bodies[body]!.name);
  }

  /** Ends the contacts of an object that a gripper took or released; notes what it is beside. */
  private handOver(handover: Handover, beside: Set<string>): void {
    const group = this.groupOf(handover);
    for (const [key, contact] of this.contacts) {
      if (handover.isTaken && contact.standing.body === handover.body) {
        this.contacts.delete(key);
        if (contact.moving.kind !== 'tool' || handover.isRider) this.settle(contact);
      } else if (!handover.isTaken && contact.moving.group === group) {
        this.contacts.delete(key);
        beside.add(contact.standing.key);
        this.settle(touched(contact));
      }
    }
  }

  private watch(step: ProgramStep | null, profile: TimeProfile | null): ContactWatch {
    const at = step?.at ?? '/timeline';
    const cell = step?.cell ?? [];
    return {
      ignores: ({ isPlanned }, { kind }) => isPlanned && kind === 'ground',
      isFree: (moving, standing) =>
        this.contacts.get(contactKey({ moving, standing }))?.meant_m === Number.POSITIVE_INFINITY,
      near: (near, s) => {
        const key = contactKey(near);
        const known = this.contacts.get(key);
        const { moving, standing, depth_m } = near;
        if (known && depth_m <= known.deepest_m) return;
        const meant_m = known?.meant_m ?? NOT_MEANT;
        // A contact that is meant is one from the depth on at which it is no longer.
        const isFirst = !known || (known.deepest_m <= meant_m && depth_m > meant_m);
        const into_s = isFirst && profile ? timeAtPosition(profile, s) : 0;
        const time_s = this.time_s + into_s;
        const when = { at, cell, time_s, into_s };
        const place = isFirst && { moving, standing, ...when, point: near.point() };
        this.contacts.set(key, { ...(known as Contact), ...place, deepest_m: depth_m, meant_m });
      },
      apart: (moving, standing) => this.close(contactKey({ moving, standing })),
    };
  }

  private close(key: string): void {
    const contact = this.contacts.get(key);
    if (!contact) return;
    this.contacts.delete(key);
    this.settle(contact);
  }

  /** A contact has ended: it is a finding where it went deeper than it was meant. */
  private settle({ deepest_m, meant_m, ...contact }: Contact): void {
    if (deepest_m <= meant_m) return;
    const { moving, standing, at, cell, time_s, into_s } = contact;
    const key = [at, cell.join(), moving.group, standing.kind, standing.name].join(' ');
    const known = this.findings.get(key);
    const depth_m = Math.max(deepest_m, known?.depth_m ?? deepest_m);
    if (known && known.time_s <= time_s) {
      if (known.depth_m < depth_m) this.findings.set(key, findingOf({ ...known, depth_m }));
      return;
    }
    const when = { at, cell, time_s, into_s, place_m: contact.point };
    const part = moving.name;
    const top_m = topOf(standing);
    const { name: what, kind } = standing;
    const isHeld = moving.kind === 'held';
    this.findings.set(key, findingOf({ ...when, part, isHeld, what, kind, top_m, depth_m }));
  }
}

function contactKey({ moving, standing }: Pick<Near, 'moving' | 'standing'>): string {
  return `${moving.group} ${standing.key}`;
}

/** Height of the highest point of a standing part (m). */
function topOf({ place, solid }: StandingSolid): number {
  const [x, y, z] = [place[6]!, place[7]!, place[8]!];
  const half = solid.half;
  const across = solid.isRound
    ? half[0]! * Math.sqrt(x * x + y * y)
    : Math.abs(x) * half[0]! + Math.abs(y) * half[1]!;
  return place[11]! + across + Math.abs(z) * half[2]!;
}

/**
 * Checks one loop of a program against a cell, with the tool of its toolpath. The objects stand as
 * described, or as `bodies`, the memory of their states, has them. Pure; allocates as it goes. The
 * ground, the arm itself and the zones are the planner's.
 */
export function checkInCell(
  program: Steps,
  model: CellModel,
  tool: ToolShape | undefined,
  bodies: Float64Array | null = null,
): CellCheck {
  const walk = new CellWalk(program, tool, new StillCell(model, bodies));
  const { controls = [] } = model.description;
  const doors = controls.filter(({ kind }) => kind === 'door');
  const unknown = [...walk.unknown, ...doors.map(({ name }) => `${name} (a door has no shape)`)];
  walk.run();
  const findings = [...walk.findings.values()].sort((a, b) => a.time_s - b.time_s);
  return { parts: bodyCount(model.description), unknown, findings };
}
