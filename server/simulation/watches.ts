/**
 * What happens in a twin, for the simulation control API: the log of contacts (D30) with figures of
 * ISO/TS 15066 beside it, the watches that publish contacts and the cell on /sim/v1/stream, the
 * journal of the calls to the arm's API, and the running digest of the twin.
 */

import { createHash } from 'node:crypto';
import type { Feedback } from '../../bridge/arm-driver.ts';
import type { ArmWorld, Contact } from '../../bridge/arm-world.ts';
import { limits } from '../../contract/limits.ts';
import type {
  CellEvent,
  ContactsReply,
  JournalEntry,
  JournalSearchBody,
  JournalVerifyBody,
  JournalVerifyReply,
  NearMiss,
  SimContact,
  SimEvent,
} from '../../contract/types.ts';
import { LINK_NAMES } from '../../physics/arm/geometry.ts';
import { CellChanges, cellFingerprint, cellState } from '../../physics/cell/cell-events.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { GRIPPER_BODY } from '../../physics/plant/environment-forces.ts';
import { waitUnreferenced } from '../clock/clock.ts';
import type { ApplicationOptions } from '../http/pipeline.ts';
import { pathOf, requestContextOf } from '../http/request-parts.ts';
import type { LoopEvent } from '../robot/commands.ts';
import { createIo, SignalChanges } from '../robot/io.ts';
import type { ControlLoop, LoopListener } from '../robot/loop.ts';
import type { RobotMemory } from '../robot/robot-context.ts';
import type { Simulation } from './simulation.ts';

/**
 * Force limits of ISO/TS 15066:2016, table A.2, by body region: quasi-static and transient (N); a
 * transient contact of head and face is not permissible.
 */
const FORCE_LIMITS: ContactsReply['force_limits'] = [
  { region: 'skull and forehead', quasi_static_n: 130, transient_n: null },
  { region: 'face', quasi_static_n: 65, transient_n: null },
  { region: 'neck', quasi_static_n: 150, transient_n: 300 },
  { region: 'back and shoulders', quasi_static_n: 210, transient_n: 420 },
  { region: 'chest', quasi_static_n: 140, transient_n: 280 },
  { region: 'abdomen', quasi_static_n: 110, transient_n: 220 },
  { region: 'pelvis', quasi_static_n: 180, transient_n: 360 },
  { region: 'upper arms and elbow joints', quasi_static_n: 150, transient_n: 300 },
  { region: 'lower arms and wrist joints', quasi_static_n: 160, transient_n: 320 },
  { region: 'hands and fingers', quasi_static_n: 140, transient_n: 280 },
  { region: 'thighs and knees', quasi_static_n: 220, transient_n: 440 },
  { region: 'lower legs', quasi_static_n: 130, transient_n: 260 },
];
const NOTE =
  'ISO/TS 15066:2016, table A.2, for information only: forces of springs in a simulated world ' +
  'say nothing about the forces that a real arm exerts on a person.';

function nameOf(link: number): string {
  return LINK_NAMES[link] ?? (link === GRIPPER_BODY ? 'gripper' : 'load');
}

function wireForm(contact: Contact): SimContact {
  const { place_m, force_n, ...rest } = contact;
  const [x, y, z] = place_m;
  return { ...rest, body: nameOf(contact.link), place: { x, y, z }, residual_force_n: force_n };
}

/** All contacts that the world remembers, with the figures beside them. */
export function contactsReply(world: ArmWorld): ContactsReply {
  return { contacts: world.contacts.list().map(wireForm), force_limits: FORCE_LIMITS, note: NOTE };
}

/** A line for the log. */
function textOf({ body, obstacle, place, speed_m_s, ...contact }: SimContact): string {
  const at = [place.x, place.y, place.z].map((part) => part.toFixed(3)).join(', ');
  const met = `${body} and “${obstacle}” at (${at}) m, ${speed_m_s.toFixed(2)} m/s`;
  const ended = `ended, peak ${contact.peak_force_n.toFixed(0)} N`;
  return `Contact ${contact.id}: ${met}, ${contact.ended_s === null ? 'started' : ended}`;
}

/** Reports the start and the end of every contact. */
export class ContactWatch implements LoopListener {
  private readonly world: ArmWorld;
  private readonly report: (contact: SimContact, text: string) => void;
  private revision: number;
  private readonly open = new Set<number>();
  private lastId = 0;

  constructor(world: ArmWorld, report: (contact: SimContact, text: string) => void) {
    this.world = world;
    this.report = report;
    this.revision = world.contacts.revision;
  }

  onTick(): void {
    const { contacts } = this.world;
    if (contacts.revision === this.revision) return;
    this.revision = contacts.revision;
    for (const contact of contacts.list()) {
      const isNew = contact.id > this.lastId;
      const isEnd = contact.ended_s !== null && (isNew || this.open.has(contact.id));
      if (isNew) this.open.add(contact.id);
      this.lastId = Math.max(this.lastId, contact.id);
      if (isEnd) this.open.delete(contact.id);
      if (!isNew && !isEnd) continue;
      const wire = wireForm(contact);
      this.report(wire, textOf(wire));
    }
  }

  /** A restored world has a log of its own: its contacts are not reported again. */
  onRestore(): void {
    this.revision = this.world.contacts.revision;
    this.open.clear();
    this.lastId = 0;
    for (const { id, ended_s } of this.world.contacts.list()) {
      this.lastId = Math.max(this.lastId, id);
      if (ended_s === null) this.open.add(id);
    }
  }
}

/** Ticks between two publications of the state (20 ms). */
const STATE_TICKS = 5;

/** What the watch needs of the twin. */
export interface CellWatchParts {
  readonly world: ArmWorld;
  readonly publish: (event: SimEvent) => void;
  readonly log: (text: string) => void;
  /** Whether anybody receives what is published. */
  readonly hasSubscribers: () => boolean;
  /** Called when the cell cannot be simulated any further. */
  readonly onFailure: (reason: string) => void;
}

/** Publishes the cell when it is replaced, what happens in it, and what changes. */
export class CellWatch implements LoopListener {
  private readonly parts: CellWatchParts;
  private cell: CellPlant | null = null;
  private lastEvent = 0;
  private revision = -1;
  private changes = new CellChanges();
  private failure: string | null = null;

  constructor(parts: CellWatchParts) {
    this.parts = parts;
  }

  onAction(_action: unknown, tick: number): void {
    this.update(true, tick);
  }

  onTick(_feedback: unknown, tick: number): void {
    this.update(tick % STATE_TICKS === 0, tick);
  }

  /** A restored world has a cell and events of its own: they are not published again. */
  onRestore(tick: number): void {
    this.lastEvent = this.parts.world.cell?.events.last ?? 0;
    this.cell = null;
    this.update(true, tick);
  }

  private update(isDue: boolean, tick: number): void {
    const { world, publish, onFailure } = this.parts;
    const { cell } = world;
    if (cell !== this.cell) this.replace(cell);
    if (!cell) return;
    this.publishEvents(cell);
    if (cell.failure !== null && this.failure === null) {
      this.failure = cell.failure;
      onFailure(cell.failure);
    }
    if (!isDue || cell.revision === this.revision || !this.parts.hasSubscribers()) return;
    this.revision = cell.revision;
    const state = this.changes.take(cellState(cell));
    if (state) publish({ type: 'cell_state', tick, state });
  }

  private replace(cell: CellPlant | null): void {
    if (this.cell?.model.description !== cell?.model.description) {
      this.parts.publish({ type: 'cell', cell: cell?.model.description ?? null });
    }
    if (this.cell !== null) this.lastEvent = 0;
    this.cell = cell;
    this.revision = -1;
    this.changes = new CellChanges();
    this.failure = null;
  }

  private publishEvents(cell: CellPlant): void {
    if (cell.events.last === this.lastEvent) return;
    const isNew = (event: CellEvent) => event.id > this.lastEvent;
    for (const event of cell.events.list().filter(isNew)) {
      this.parts.publish({ type: 'cell_event', event });
      this.parts.log(`Cell: ${event.text}`);
    }
    this.lastEvent = cell.events.last;
  }
}

/**
 * Journal of the calls to the arm's API: the latest calls with caller, SHA-256 of the body, status
 * and duration. `verify` checks whether an expected call happened and lists near misses. Calls of
 * the simulation control API are not recorded. Also: the interceptor of calls that fills it.
 */

type Difference = NearMiss['differs'][number];

interface ExpectedCall {
  readonly method?: string;
  readonly path?: string;
  readonly user_id?: number;
  readonly status?: number;
  readonly body_sha256?: string;
}

/** Whether a path equals the pattern, or matches the prefix of a pattern that ends in `*`. */
export function pathMatches(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

function differences(entry: JournalEntry, wanted: ExpectedCall): Difference[] {
  const differs: Difference[] = [];
  const { method, path, user_id, status, body_sha256 } = wanted;
  if (method !== undefined && entry.method !== method) differs.push('method');
  if (path !== undefined && !pathMatches(entry.path, path)) differs.push('path');
  if (user_id !== undefined && entry.user_id !== user_id) differs.push('user_id');
  if (status !== undefined && entry.status !== status) differs.push('status');
  if (body_sha256 !== undefined && entry.body_sha256 !== body_sha256) differs.push('body');
  return differs;
}

export class Journal {
  private entries: JournalEntry[] = [];
  private count = 0;

  /** Records a call; drops the oldest beyond the limit. */
  record(entry: Omit<JournalEntry, 'id'>): void {
    this.entries.push({ id: ++this.count, ...entry });
    if (this.entries.length > limits.journal_entries) this.entries.shift();
  }

  /** Number of dropped calls. */
  get lost(): number {
    return this.count - this.entries.length;
  }

  /** The latest calls that match all given fields, oldest first. */
  search({ limit = limits.journal_entries, ...wanted }: JournalSearchBody): JournalEntry[] {
    const found = this.entries.filter((entry) => differences(entry, wanted).length === 0);
    return found.slice(-limit);
  }

  /** Checks whether an expected call happened; `body_sha256` is the SHA-256 of its body. */
  verify(
    { method, path, user_id, status, times }: Omit<JournalVerifyBody, 'body'>,
    body_sha256: string | undefined,
  ): JournalVerifyReply {
    const wanted = {
      method,
      path,
      ...(user_id === undefined ? {} : { user_id }),
      ...(status === undefined ? {} : { status }),
      ...(body_sha256 === undefined ? {} : { body_sha256 }),
    };
    const compared = this.entries.map((entry) => ({ entry, differs: differences(entry, wanted) }));
    const matched = compared.filter(({ differs }) => differs.length === 0).length;
    const holds = times === undefined ? matched > 0 : matched === times;
    const near = compared.filter(({ differs }) => differs.length > 0);
    near.sort((a, b) => a.differs.length - b.differs.length || b.entry.id - a.entry.id);
    return { holds, matched, near_misses: holds ? [] : near.slice(0, limits.near_misses) };
  }

  clear(): void {
    this.entries = [];
    this.count = 0;
  }
}

/**
 * Intercepts the calls to the arm's API: records each in the journal once it is answered, and
 * delays or drops replies as injected faults demand.
 */

/** Calls of the simulation control API are not recorded. */
const SIMULATION_PATH = '/sim/';

type CallInterceptor = Required<
  Pick<ApplicationOptions, 'watch' | 'beforeReply' | 'needsBodyHash'>
>;

/** Creates the interceptor; a call is recorded when its response or connection closes. */
export function createCallInterceptor({
  parts,
  journal,
  replyFaults,
}: Simulation): CallInterceptor {
  const { wall, loop } = parts.services;
  const watch: CallInterceptor['watch'] = (request, response) => {
    const { method = '' } = request;
    const path = pathOf(request.url);
    if (path.startsWith(SIMULATION_PATH)) return;
    const started_ms = wall.now_ms();
    const { tick } = loop;
    response.once('close', () => {
      const { user_id, body_sha256 } = requestContextOf(response);
      const duration_ms = wall.now_ms() - started_ms;
      const { statusCode: status } = response;
      journal.record({
        method,
        path,
        user_id,
        body_sha256,
        status,
        duration_ms,
        tick,
      });
    });
  };
  return {
    watch,
    needsBodyHash: ({ path }) => !path.startsWith(SIMULATION_PATH),
    beforeReply({ method, path }) {
      const fault = path.startsWith(SIMULATION_PATH) ? null : replyFaults.match({ method, path });
      if (fault === null) return true;
      return fault === 'drop'
        ? false
        : waitUnreferenced(wall, fault.delay_s * 1000).then(() => true);
    },
  };
}

/**
 * A running digest of the twin (decisions D38, D40): SHA-256 over a chain and the present. The
 * chain has positions, velocities, state, I/O, lock, log and cell of every 250th tick, and each
 * change of state, I/O and lock with its tick. The present is the tick, with the same values and
 * the log since the last 250th tick. Runs with the same commands at the same ticks have equal
 * digests at the same tick, at every pace, on machines of one kind, with and without idle jumps:
 * unchanged values are in the chain once, telemetry never.
 */

const MARK_TICKS = 250;
const { inputs, outputs } = createIo();
const INPUTS = Object.keys(inputs);
const OUTPUTS = Object.keys(outputs);

/** The twin whose digest it is; the loop is made after its listeners. */
interface DigestParts {
  readonly robot: { readonly memory: Readonly<RobotMemory> };
  readonly world: ArmWorld | null;
  readonly loop: () => Pick<ControlLoop, 'tick' | 'latestFeedback'>;
}

/** What changes at once, and not by degrees; its signals are those of the robot, not a copy. */
function discreteOf(memory: Readonly<RobotMemory>) {
  const { state, loop_count, loop_target, estop, io, lock, activity } = memory;
  return {
    state,
    loop_count,
    loop_target,
    estop,
    inputs: io.inputs,
    outputs: io.outputs,
    lock: lock?.holder.token_id ?? null,
    activity: activity?.kind ?? null,
  };
}

export class Digest implements LoopListener {
  private hash = createHash('sha256');
  private readonly parts: DigestParts;
  private mark = 0;
  private fed = '';
  /** The values of `discreteOf` at the last tick, one after another. */
  private readonly seen: unknown[] = [];
  /** The objects that had these values. */
  private latest: Partial<RobotMemory> = {};
  private signals = new SignalChanges();
  private at = 0;
  /** Changes since the last mark: tick, number of the value, value. */
  private changes = '';
  private log: string[] = [];

  constructor(parts: DigestParts) {
    this.parts = parts;
  }

  /** Restarts the digest after a reset of the twin. */
  restart(): void {
    this.hash = createHash('sha256');
    this.mark = 0;
    this.fed = '';
    this.seen.length = 0;
    // The next tick finds changes in them, and notes all values.
    this.signals = new SignalChanges();
    this.changes = '';
    this.log = [];
  }

  onEvents(events: readonly LoopEvent[]): void {
    for (const event of events) if (event.kind === 'log') this.log.push(event.text);
  }

  onTick(feedback: Feedback, tick: number): void {
    this.noteChanges(tick);
    const mark = Math.floor(tick / MARK_TICKS);
    if (mark === this.mark) return;
    this.mark = mark;
    this.hash.update(this.changes);
    this.changes = '';
    const text = this.describe(feedback);
    const log = this.log.splice(0);
    if (text === this.fed && log.length === 0) return;
    this.fed = text;
    this.hash.update(text).update(JSON.stringify(log));
  }

  /**
   * Without it, a signal that comes and goes between two marks would not be in the digest. Runs at
   * every tick, so it looks first whether any object that has the values was replaced.
   */
  private noteChanges(tick: number): void {
    const { memory } = this.parts.robot;
    const hasSignals = this.signals.take(memory.io);
    if (!hasSignals && this.hasSeen(memory)) return;
    const { state, loop_count, loop_target, estop, io, lock, activity } = memory;
    this.latest = { state, loop_count, loop_target, estop, lock, activity };
    this.at = 0;
    this.note(tick, state);
    this.note(tick, loop_count);
    this.note(tick, loop_target);
    this.note(tick, estop);
    this.note(tick, lock?.holder.token_id);
    this.note(tick, activity?.kind);
    if (!hasSignals) return;
    for (const name of INPUTS) this.note(tick, io.inputs[name]);
    for (const name of OUTPUTS) this.note(tick, io.outputs[name]);
  }

  private hasSeen(memory: RobotMemory): boolean {
    const { latest } = this;
    return (
      memory.state === latest.state &&
      memory.activity === latest.activity &&
      memory.lock === latest.lock &&
      memory.loop_count === latest.loop_count &&
      memory.loop_target === latest.loop_target &&
      memory.estop === latest.estop
    );
  }

  private note(tick: number, value: unknown): void {
    if (this.seen[this.at] !== value) {
      this.seen[this.at] = value;
      this.changes += `${tick} ${this.at} ${value}\n`;
    }
    this.at += 1;
  }

  private describe(feedback: Feedback): string {
    const { robot, world } = this.parts;
    const joints = Buffer.alloc(96);
    for (let joint = 0; joint < 6; joint++) {
      joints.writeDoubleLE(feedback.position_rad[joint]!, 8 * joint);
      joints.writeDoubleLE(feedback.velocity_rad_s[joint]!, 48 + 8 * joint);
    }
    const cell = world?.cell ? cellFingerprint(world.cell) : '';
    return joints.toString('base64') + JSON.stringify(discreteOf(robot.memory)) + cell;
  }

  /** The digest of everything up to the present tick, hexadecimal. */
  value(): string {
    const { tick, latestFeedback } = this.parts.loop();
    const end = JSON.stringify([tick, this.changes, this.describe(latestFeedback), this.log]);
    return this.hash.copy().update(end).digest('hex');
  }
}
