/** A place of a toolpath where something of the arm comes too near to something of the cell. */

import { MM_PER_M, millimetres } from '../millimetres.ts';
import type { StandingSolid } from './standing-solid.ts';

/** What is known of a contact. Lengths in m in the robot frame, times in s from the start. */
interface CellContact {
  /** JSON pointer of the step in the toolpath. */
  readonly at: string;
  /** Cell of the grid, innermost last; empty outside of grids. */
  readonly cell: readonly number[];
  /** When in the loop they come near, waits for inputs counting as zero. */
  readonly time_s: number;
  /** The same from the start of the step. */
  readonly into_s: number;
  /** Where: a point of what stands. */
  readonly place_m: readonly [number, number, number];
  /** The part of the arm, `link 3` or `tool`, or the name of a gripper or of what it holds. */
  readonly part: string;
  /** Whether that is an object in a gripper. */
  readonly isHeld: boolean;
  /** Name of what stands there. */
  readonly what: string;
  readonly kind: StandingSolid['kind'];
  /** Height of its highest point. */
  readonly top_m: number;
  /** How deep they lie in each other at most; negative: the gap that is left. */
  readonly depth_m: number;
}

export interface CellFinding extends CellContact {
  /** A sentence that names both, and one that says what to do. */
  readonly message: string;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function subject({ part, isHeld }: CellContact): string {
  return isHeld ? `"${part}" in the gripper` : capital(part);
}

function objectOf({ kind, what }: CellContact): string {
  return kind === 'ground' ? 'the floor' : `the ${kind} "${what}"`;
}

function extent({ depth_m }: CellContact): string {
  if (depth_m > 0) return `goes ${millimetres(depth_m)} deep into`;
  return `comes within ${millimetres(-depth_m)} of`;
}

function remedy(contact: CellContact): string {
  if (contact.kind === 'ground') return 'Hold it higher.';
  const top = `its top is at z = ${Math.round(contact.top_m * MM_PER_M)} mm`;
  return `Add a waypoint that leads over it (${top}) or past it, or move it in the cell.`;
}

/**
 * A sentence that names both and the place, and one that says what to do. `when` says at what time,
 * and ends with a comma; it is empty where the reader has another time before him.
 */
export function findingText(contact: CellContact, when: string): string {
  const place = contact.place_m.map((x) => (x === 0 ? 0 : x).toFixed(3)).join(', ');
  const what = `${subject(contact)} ${extent(contact)} ${objectOf(contact)}`;
  return `${what} ${when}at (${place}) m. ${remedy(contact)}`;
}

/** A contact as a finding. */
export function findingOf(contact: CellContact): CellFinding {
  return { ...contact, message: findingText(contact, `at ${contact.time_s.toFixed(2)} s, `) };
}
