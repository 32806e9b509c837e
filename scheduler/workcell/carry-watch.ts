/** What a simulated cell shows of a carry: whether the piece is grasped, carried and placed. */

import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { objectState } from '../../physics/cell/cell-state.ts';
import { type CurrentCell, slotOfNest } from './cell-deck.ts';
import { type DeckPlace, placeText } from './deck.ts';

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
