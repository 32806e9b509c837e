/**
 * Positions of the nests of a workcell, computed from the grip poses of the arm: metres, with the
 * direction of the plate. Reads the definition leniently, because it may be wrong elsewhere. Pure.
 */
import type { LabwarePlace, RunDetails } from '../../../contract/types.generated.ts';
import { createPoseReader, FLANGE_TOOL } from '../../../physics/kinematics/tool.ts';
import { type Loose, object } from './lenient-object.ts';

/** Footprint and height of a microplate (m), ANSI/SLAS. */
export const PLATE_M = { x: 0.12776, y: 0.08548, z: 0.01435 } as const;

export interface Nest {
  readonly instrument_id: string;
  readonly slot: number;
  /** Position where the tool tip grips (m). */
  readonly at_m: readonly [number, number, number];
  /** Direction of the plate's long side about the vertical (rad). */
  readonly turn_rad: number;
}

export interface Instrument {
  readonly id: string;
  readonly name: string;
}

export interface Deck {
  /** All instruments except those of type transport, in the definition's order. */
  readonly instruments: readonly Instrument[];
  /** Empty if the definition has no poses. */
  readonly nests: readonly Nest[];
}

function joints(value: unknown): readonly number[] | null {
  if (!Array.isArray(value) || value.length !== 6) return null;
  return value.every((angle) => typeof angle === 'number') ? value : null;
}

const readPose = createPoseReader();

function nestAt(instrument_id: string, slot: number, grip: readonly number[]): Nest {
  const pose = readPose(grip, FLANGE_TOOL);
  return {
    instrument_id,
    slot,
    at_m: [pose[9]!, pose[10]!, pose[11]!],
    turn_rad: Math.atan2(pose[3]!, pose[0]!),
  };
}

/** The deck of a definition. */
export function deckOf(definition: unknown): Deck {
  const listed = object(object(definition)['workcell'])['instruments'];
  const all = (Array.isArray(listed) ? listed : []).map(object);
  const isArm = (one: Loose) => one['type'] === 'transport';
  const instruments = all.flatMap((one): Instrument[] => {
    const { id, name } = one;
    if (isArm(one) || typeof id !== 'string') return [];
    return [{ id, name: typeof name === 'string' && name ? name : id }];
  });
  const arm = object(object(all.find(isArm))['config']);
  const nests = Object.entries(object(arm['stations'])).flatMap(([id, slots]) =>
    Object.entries(object(slots)).flatMap(([slot, station]) => {
      const grip = joints(object(station)['grip']);
      return grip ? [nestAt(id, Number(slot), grip)] : [];
    }),
  );
  return { instruments, nests };
}

/** Starting locations of the labware in a definition. */
export function startingPlaces(definition: unknown): LabwarePlace[] {
  const listed = object(object(definition)['workflow'])['labware'];
  return (Array.isArray(listed) ? listed : []).map(object).flatMap(({ id, starting_location }) => {
    const { instrument, slot } = object(starting_location);
    if (typeof id !== 'string' || typeof instrument !== 'string') return [];
    return [
      { labware_id: id, instrument_id: instrument, slot: typeof slot === 'number' ? slot : null },
    ];
  });
}

/** The nest of a location, if the arm has a pose for it. */
export function nestOf(deck: Deck, instrument_id: string | null, slot: number | null): Nest | null {
  const fits = (nest: Nest) => nest.instrument_id === instrument_id && nest.slot === slot;
  return deck.nests.find(fits) ?? null;
}

/** Labware locations of the run; before a run, those of the definition. */
export function labwarePlaces(
  run: RunDetails | null,
  definition: unknown,
): readonly LabwarePlace[] {
  return run && run.labware.length > 0 ? run.labware : startingPlaces(definition);
}

/** Says where the shown labware stands: in a run, or as the definition has it. */
export function deckOrigin(run: RunDetails | null, definition: unknown): string {
  if (run && run.labware.length > 0) return '';
  return startingPlaces(definition).length > 0 ? 'as defined, before a run' : '';
}
