/**
 * Labware of a workflow in a simulated cell: a piece is the object of its id, and slot n of an
 * instrument is the n-th nest of the fixture with the instrument's id. A workflow uses the cell
 * when all of its labware are objects there. Where a piece is, and whether a carry works, is then
 * asked of the cell.
 */
import type { WorkcellBody, WorkflowDefinition } from '../../contract/types.ts';
import { objectState } from '../../physics/cell/cell-events.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { type DeckContents, type DeckPlace, homelessLabware, placeText } from './deck.ts';

/** The call with which a caller moves an object. */
export const OBJECT_CALL = 'PUT /sim/v1/cell/objects/{name}';

/** The present cell; null without one. */
export type CurrentCell = () => CellPlant | null;

/** The deck as the cell has it. */
interface CellDeck {
  readonly deck: DeckContents;
  /** Labware that stands in no slot of an instrument, each as a sentence. */
  readonly strays: readonly string[];
}

/** Instrument and slot of a nest; null for a surface, or a nest that is not there. */
function slotOfNest({ model }: CellPlant, name: string | null): DeckPlace {
  const nest = model.nests.find((one) => one.name === name);
  if (!nest || nest.owner >= 0) return null;
  const own = model.nests.filter(({ on }) => on === nest.on);
  return { instrument_id: nest.on, slot: own.indexOf(nest) + 1 };
}

/** Returns where a cell has the labware of a workflow; null when the workflow does not use it. */
export function deckOfCell(
  cell: CellPlant | null,
  { workflow }: Pick<WorkflowDefinition, 'workflow'>,
): CellDeck | null {
  if (!cell) return null;
  const names = cell.model.bodies.map(({ name }) => name);
  const ids = new Set(workflow.labware.map(({ id }) => id));
  if (![...ids].every((id) => names.includes(id))) return null;
  const { deck, strays } = labwareIn(cell);
  return { deck, strays: [...strays].flatMap(([id, text]) => (ids.has(id) ? [text] : [])) };
}

/** Where the objects of a cell are that a deck can have, and sentences about the others. */
function labwareIn(cell: CellPlant) {
  const deck = new Map<string, DeckPlace>();
  const strays = new Map<string, string>();
  cell.model.bodies.forEach(({ name }, i) => {
    const { at, held_by, status } = objectState(cell, i);
    const place = slotOfNest(cell, at);
    if (held_by !== null) deck.set(name, null);
    else if (place !== null) deck.set(name, place);
    else strays.set(name, `${name} is ${status}${at === null ? '' : ` at ${at}`}`);
  });
  return { deck, strays };
}

/**
 * Returns the deck of a workcell as the cell has it; null when the cell does not have its
 * instruments, or not all of the labware on its deck.
 */
export function workcellInCell(
  cell: CellPlant | null,
  { instruments, deck }: Pick<WorkcellBody, 'instruments'> & { readonly deck: DeckContents },
): DeckContents | null {
  if (!cell) return null;
  const { nests, bodies } = cell.model;
  const hasInstrument = nests.some(
    (nest) => nest.owner < 0 && instruments.some(({ id }) => id === nest.on),
  );
  const names = new Set(bodies.map(({ name }) => name));
  if (!hasInstrument || ![...deck.keys()].every((id) => names.has(id))) return null;
  const isHere = ([id, place]: [string, DeckPlace]) =>
    homelessLabware(new Map([[id, place]]), instruments).length === 0;
  return new Map([...labwareIn(cell).deck].filter(isHere));
}

/** A piece that a deck has elsewhere than the cell, as a sentence; null for none. */
export function contradictionOf(
  cell: CellPlant | null,
  { instruments }: Pick<WorkcellBody, 'instruments'>,
  deck: DeckContents,
): string | null {
  const real = workcellInCell(cell, { instruments, deck });
  if (!real) return null;
  for (const [id, place] of deck) {
    const there = real.get(id);
    if (there !== undefined && placeText(there) === placeText(place)) continue;
    const where = there === undefined ? 'in no slot' : `in ${placeText(there)}`;
    return `The cell has ${id} ${where}; move the object (${OBJECT_CALL}), not the deck`;
  }
  return null;
}

/** A carry as the transporter starts it: the piece and where it goes. */
export interface CarriedLabware {
  readonly id: string;
  readonly instrument_id: string;
  readonly slot: number;
  /** Where it stands before the carry. */
  readonly from: NonNullable<DeckPlace>;
}

/** What a carry does in the cell: nothing yet, done, or failed for a reason. */
export type CarryState = 'pending' | 'done' | { readonly reason: string };

/** An object that was let go must rest within so many ticks (5 s). */
const REST_TICKS = 1250;
/** Events that end a carry. */
const MISHAPS: readonly string[] = ['missed', 'dropped'];

/** Watches one carry of a piece in the cell. */
export class CarryWatch {
  private readonly cell: CellPlant;
  private readonly current: CurrentCell;
  private readonly piece: CarriedLabware;
  private readonly i: number;
  private readonly since: number;
  /** Updates since the gripper opened over the target. */
  private waited = 0;

  private constructor(cell: CellPlant, current: CurrentCell, piece: CarriedLabware) {
    this.cell = cell;
    this.current = current;
    this.piece = piece;
    this.i = cell.model.bodies.findIndex(({ name }) => name === piece.id);
    this.since = cell.events.last;
  }

  /** Watches a carry; null when the cell does not have the piece. */
  static of(current: CurrentCell, piece: CarriedLabware | null): CarryWatch | null {
    const cell = current();
    if (!cell || !piece) return null;
    const watch = new CarryWatch(cell, current, piece);
    return watch.i < 0 ? null : watch;
  }

  /** The reason of a mishap since the start, or null. */
  private mishap(): string | null {
    if (this.current() !== this.cell) return 'the cell was replaced';
    const { id } = this.piece;
    const own = this.cell.events.list().find((event) => {
      const isOwn = event.kind === 'missed' || event.object === id;
      return event.id > this.since && isOwn && MISHAPS.includes(event.kind);
    });
    if (own?.kind === 'missed') return this.missingText(own.text);
    return own?.text ?? null;
  }

  /** The reason of a missed grasp: of a piece that is elsewhere, where it is. */
  private missingText(text: string): string {
    const { id, from } = this.piece;
    const { status, at } = objectState(this.cell, this.i);
    if (status === 'missing' || this.isSlot(at, from)) return text;
    const where = at === null ? status : `${status} at ${at}`;
    return `${id} is not in ${placeText(from)} but ${where}; put it back and retry (${text})`;
  }

  /** Whether the closed gripper has the piece. */
  grasped(): CarryState {
    const reason = this.mishap();
    if (reason !== null) return { reason };
    const { grippers, model } = this.cell;
    const held = grippers.find(({ holds }) => holds >= 0);
    if (!held) return 'pending';
    if (held.holds === this.i) return 'done';
    const wrong = model.bodies[held.holds]!.name;
    return { reason: `${held.name} grasped ${wrong}, not ${this.piece.id}` };
  }

  /** Whether the piece is still held. */
  carried(): CarryState {
    const reason = this.mishap();
    return reason === null ? 'pending' : { reason };
  }

  /** Whether the piece stands in its slot and no gripper holds it. */
  get isPlaced(): boolean {
    const { at, held_by } = objectState(this.cell, this.i);
    return held_by === null && this.isSlot(at, this.piece);
  }

  private isSlot(nest: string | null, slot: NonNullable<DeckPlace>): boolean {
    const place = slotOfNest(this.cell, nest);
    return place?.instrument_id === slot.instrument_id && place.slot === slot.slot;
  }

  /** Whether the piece that was let go rests in its slot. */
  placed(): CarryState {
    const { id, instrument_id, slot } = this.piece;
    const { status, at, held_by } = objectState(this.cell, this.i);
    if (this.isSlot(at, this.piece)) return 'done';
    this.waited += 1;
    const isLoose = held_by !== null || status === 'moving';
    if (isLoose && this.waited < REST_TICKS) return 'pending';
    const where = held_by === null ? `${status} at ${at ?? 'no place'}` : `held by ${held_by}`;
    return { reason: `${id} is ${where}, not in ${instrument_id} slot ${slot}` };
  }
}
