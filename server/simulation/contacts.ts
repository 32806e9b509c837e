/**
 * What happens in the simulated world, for the simulation control API (D30): the log of contacts
 * with figures of ISO/TS 15066 beside it, and the watches that publish contacts and the cell on
 * /sim/v1/stream. Also: the check of a load, and forces on the flange.
 */

import type { ArmWorld, Contact } from '../../bridge/arm-world.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type {
  CellEvent,
  ContactsReply,
  SimContact,
  SimEvent,
  SimLoad,
} from '../../contract/types.ts';
import { LINK_NAMES } from '../../physics/arm/geometry.ts';
import { CellChanges, cellState } from '../../physics/cell/cell-events.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { ballLoad, type Load, principalAxes } from '../../physics/dynamics/inertia.ts';
import { GRIPPER_BODY } from '../../physics/plant/environment-forces.ts';
import type { Cancel } from '../clock/clock.ts';
import { type Timers, tickOf } from '../clock/twin-time.ts';
import type { ControlLoop, LoopListener } from '../robot/loop.ts';

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

  onAction(): void {
    this.update(true);
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

  private update(isDue: boolean, tick = 0): void {
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

/** A tensor of a real body: positive moments, none greater than the other two together. */
function inertiaProblem(tensor: readonly number[]): string | null {
  const moments = [...principalAxes(tensor).moments].sort((a, b) => a - b);
  const [least, middle, most] = moments as [number, number, number];
  if (!(least > 0)) return `is not positive definite: least principal moment ${least}`;
  const slack = 1e-9 * most;
  if (most <= least + middle + slack) return null;
  return `belongs to no body: principal moment ${most} exceeds the sum of the others`;
}

/** The load of a request, or why it is refused. Ranges are the schema's. */
export function loadOf(body: SimLoad): Load | Refusal<'invalid_arguments'> {
  const { mass_kg, centre_of_mass_m: centre, inertia } = body;
  const centre_of_mass_m = [centre.x, centre.y, centre.z];
  if (!inertia) return { ...ballLoad(mass_kg), centre_of_mass_m };
  const { xx, yy, zz, xy, xz, yz } = inertia;
  const inertia_kg_m2 = [xx, yy, zz, xy, xz, yz];
  const problem = inertiaProblem(inertia_kg_m2);
  if (problem) return refuse('invalid_arguments', [{ path: '/inertia', problem }]);
  return { mass_kg, centre_of_mass_m, inertia_kg_m2 };
}

/** A load as the API shows it. */
export function wireLoad(load: Load): SimLoad {
  const [x, y, z] = load.centre_of_mass_m as [number, number, number];
  const [xx, yy, zz, xy, xz, yz] = load.inertia_kg_m2 as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const inertia = { xx, yy, zz, xy, xz, yz };
  return { mass_kg: load.mass_kg, centre_of_mass_m: { x, y, z }, inertia };
}

/** External forces on the flange, with an optional duration. Units: N, robot frame. */
type ForceVector = readonly [number, number, number];

const NONE: ForceVector = [0, 0, 0];

export class ExternalForces {
  private readonly loop: ControlLoop;
  private readonly timers: Timers;
  private cancel: Cancel = () => {};
  private end_tick: number | null = null;

  constructor(loop: ControlLoop, timers: Timers) {
    this.loop = loop;
    this.timers = timers;
  }

  /** Tick at which the present force ends; null: none or without end. */
  get endTick(): number | null {
    return this.end_tick;
  }

  /** Applies a force and replaces the previous one; a null duration has no end. */
  apply(force_n: ForceVector, duration_s: number | null): void {
    this.loop.applyWorldAction({ kind: 'push', force_n });
    this.endAt(duration_s === null ? null : tickOf(this.loop.now_s + duration_s));
  }

  /** Sets the end of the present force: of a new one, or of the one in a restored world. */
  endAt(tick: number | null): void {
    this.cancel();
    this.cancel = () => {};
    this.end_tick = tick;
    if (tick === null) return;
    this.cancel = this.timers.at(tick, () => {
      this.end_tick = null;
      this.loop.applyWorldAction({ kind: 'push', force_n: NONE });
    });
  }
}
