/**
 * The deck of a workcell: where each piece of labware stands and which one the gripper holds. It
 * outlives runs. A run starts from the deck; what differs from its definition is refused unless the
 * caller says which of the two is right (docs/decisions). Also: the deck of a simulated cell, and
 * the stations of the transport instrument.
 */
import type {
  DeckBody,
  DeckLabware,
  StartRunBody,
  WorkcellBody,
  WorkflowDefinition,
  WorkflowInstrument,
} from '../../contract/types.ts';
import { objectState } from '../../physics/cell/cell-events.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import {
  type ArmStation,
  type ArmTransportSetup,
  childPointer,
  type DefinitionError,
  type DefinitionFindings,
  locationKey,
  type ModelInstrument,
  type ModelTask,
  type WorkflowModel,
} from './model.ts';
import type { PlanLabware, SlotLocation } from './plan/problem.ts';

/** Instrument and slot; null while the piece is in the gripper. */
export type DeckPlace = { readonly instrument_id: string; readonly slot: number } | null;

/** Places by labware id. */
export type DeckContents = ReadonlyMap<string, DeckPlace>;

type Slots = Pick<ModelInstrument, 'id' | 'capacity' | 'slotless'>;

/**
 * Returns why an instrument has no such slot, or null: it has the slots 1 to `capacity`, one piece
 * in each; a container without slots takes any number.
 */
export function slotFault({ id, capacity, slotless }: Slots, slot: number): string | null {
  if (slotless || (slot >= 1 && slot <= capacity)) return null;
  return `${id} has ${capacity === 1 ? 'only slot 1' : `the slots 1 to ${capacity}`}`;
}

/** Names a place in messages. */
export function placeText(place: DeckPlace): string {
  return place === null ? 'the gripper' : `${place.instrument_id} slot ${place.slot}`;
}

function placeKey(place: DeckPlace): string {
  return place === null ? '' : `${place.slot} ${place.instrument_id}`;
}

/** Returns the piece in the gripper, or null. */
export function heldLabware(deck: DeckContents): string | null {
  for (const [labware_id, place] of deck) if (place === null) return labware_id;
  return null;
}

/** Returns the wire format of a deck, without the runs. */
export function deckBodyOf(deck: DeckContents): DeckBody {
  const labware: DeckLabware[] = [];
  for (const [labware_id, place] of deck) if (place) labware.push({ labware_id, ...place });
  return { labware, gripper: heldLabware(deck) };
}

/** Returns the deck of a body that `deckFaults` has found no fault in. */
export function deckContentsOf({ labware, gripper }: DeckBody): DeckContents {
  const deck = new Map<string, DeckPlace>();
  for (const { labware_id, instrument_id, slot } of labware) {
    deck.set(labware_id, { instrument_id, slot });
  }
  if (gripper !== null) deck.set(gripper, null);
  return deck;
}

/** Returns why a piece cannot stand in a place of these instruments, or null. */
function placeFault(instruments: readonly WorkflowInstrument[], place: DeckPlace): string | null {
  if (place === null) return null;
  const found = instruments.find(({ id }) => id === place.instrument_id);
  if (!found || found.type === TRANSPORT_TYPE)
    return `there is no instrument ${place.instrument_id}`;
  const { id, capacity = 1, is_slotless_container: slotless = false } = found;
  return slotFault({ id, capacity, slotless }, place.slot);
}

/** Returns how a deck contradicts itself or the instruments; empty if it does not. */
export function deckFaults(
  instruments: readonly WorkflowInstrument[],
  { labware, gripper }: DeckBody,
): DefinitionError[] {
  const faults: DefinitionError[] = [];
  const known = new Map<string, DeckPlace>();
  const holders = new Map<string, string>();
  labware.forEach(({ labware_id, instrument_id, slot }, i) => {
    const path = `/labware/${i}`;
    const place = { instrument_id, slot };
    const fault = placeFault(instruments, place);
    if (fault !== null) faults.push({ path, message: fault });
    const before = known.get(labware_id);
    if (before) {
      faults.push({ path, message: `${labware_id} is in ${placeText(before)} already` });
    }
    known.set(labware_id, place);
    const isSlotless = instruments.some(
      ({ id, is_slotless_container }) => id === instrument_id && is_slotless_container,
    );
    const holder = isSlotless ? undefined : holders.get(placeKey(place));
    if (holder !== undefined && holder !== labware_id) {
      faults.push({ path, message: `${placeText(place)} holds ${holder} already` });
    }
    holders.set(placeKey(place), labware_id);
  });
  if (gripper !== null && known.has(gripper)) {
    const message = `${gripper} is in ${placeText(known.get(gripper)!)} already`;
    faults.push({ path: '/gripper', message });
  }
  return faults;
}

/** Returns the pieces of a deck whose places do not exist among these instruments. */
export function homelessLabware(
  deck: DeckContents,
  instruments: readonly WorkflowInstrument[],
): string[] {
  return [...deck].flatMap(([labware_id, place]) => {
    const fault = placeFault(instruments, place);
    return fault ? [`${labware_id} stands in ${placeText(place)}, but ${fault}`] : [];
  });
}

/** Which of deck and definition is right where they differ. */
export type DeckMode = NonNullable<StartRunBody['deck']>;

/** The start of a run on a deck. */
export interface DeckStart {
  /** The definition with the starting locations of the run. */
  readonly definition: WorkflowDefinition;
  /** The piece of the definition that is in the gripper; null for none. */
  readonly held: string | null;
  /** Pieces on the deck that the definition does not use. */
  readonly others: readonly (readonly [string, NonNullable<DeckPlace>])[];
  /** How deck and definition differ, if that is not allowed. */
  readonly differences: readonly string[];
}

function differenceText(id: string, found: DeckPlace, defined: DeckPlace): string {
  return `${id} is in ${placeText(found)}, not in ${placeText(defined)}`;
}

/** Compares a definition with the deck and returns the start of its run. */
export function deckStart(
  deck: DeckContents,
  definition: WorkflowDefinition,
  mode: DeckMode,
): DeckStart {
  const { labware } = definition.workflow;
  const own = new Set(labware.map(({ id }) => id));
  const differences: string[] = [];
  const holders = new Map<string, string>();
  const others: [string, NonNullable<DeckPlace>][] = [];
  for (const [id, place] of deck) {
    if (place === null && (!own.has(id) || mode === 'as_defined')) {
      differences.push(`the gripper holds ${id}, which must be put down first`);
    }
    if (own.has(id) || place === null) continue;
    others.push([id, place]);
    holders.set(placeKey(place), id);
  }
  let held: string | null = null;
  const placed = labware.map((piece) => {
    const { instrument: instrument_id, slot } = piece.starting_location;
    const defined = { instrument_id, slot };
    const found = deck.has(piece.id) && mode !== 'as_defined' ? deck.get(piece.id)! : defined;
    const isSame = placeKey(found) === placeKey(defined);
    if (mode === 'check' && !isSame) differences.push(differenceText(piece.id, found, defined));
    if (found === null) {
      held = piece.id;
      return piece;
    }
    const isSlotless = definition.workcell.instruments?.some(
      ({ id, is_slotless_container }) => id === found.instrument_id && is_slotless_container,
    );
    const holder = isSlotless ? undefined : holders.get(placeKey(found));
    if (holder) differences.push(`${placeText(found)} holds ${holder}, not ${piece.id}`);
    const { instrument_id: instrument, slot: at } = found;
    return { ...piece, starting_location: { instrument, slot: at } };
  });
  const workflow = { ...definition.workflow, labware: placed };
  return { definition: { ...definition, workflow }, held, others, differences };
}

/** Returns the locations of pieces that the definition does not use. */
export function otherLocations(
  { instruments }: Pick<WorkflowModel, 'instruments'>,
  others: DeckStart['others'],
): Map<string, SlotLocation> {
  const statics = new Map<string, SlotLocation>();
  for (const [id, { instrument_id, slot }] of others) {
    const instrument = instruments.findIndex((one) => one.id === instrument_id);
    if (instrument >= 0) statics.set(id, { instrument, slot });
  }
  return statics;
}

/**
 * The deck of a simulated cell: a piece is the object of its id, and slot n of an instrument is the
 * n-th nest of the fixture with the instrument's id. A workflow uses the cell when all of its
 * labware are objects there; where a piece is, is then asked of the cell.
 */

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
export function slotOfNest({ model }: CellPlant, name: string | null): DeckPlace {
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

/**
 * The transport instrument of a definition: reads its configuration and checks that every location
 * that labware is moved from or to has a station (docs/decisions).
 */

export const TRANSPORT_TYPE = 'transport';

interface TransportInstrument {
  readonly path: string;
  readonly instrument: WorkflowInstrument;
}

/** Returns the transport instrument, or null; more than one is an error. */
export function transportOf(
  findings: DefinitionFindings,
  instruments: readonly WorkflowInstrument[],
): TransportInstrument | null {
  const found = instruments.flatMap((instrument, i) =>
    instrument.type === TRANSPORT_TYPE
      ? [{ instrument, path: childPointer('/workcell/instruments', i) }]
      : [],
  );
  for (const { path } of found.slice(1)) {
    findings.add(path, 'is a second transport instrument; there is one arm');
  }
  if (found.length === 0) {
    findings.warnings.push('There is no transport instrument: moves only take their time');
  }
  return found[0] ?? null;
}

/** Returns the stations by location; null if the configuration has none. */
export function armTransportSetup(
  findings: DefinitionFindings,
  { instrument, path }: TransportInstrument,
  indexOf: ReadonlyMap<string, number>,
): ArmTransportSetup | null {
  const { config: given, simulate } = instrument;
  if (simulate || given === undefined || !('stations' in given)) return null;
  const config = findings.read('TransportConfig', given, `${path}/config`);
  if (!config) return null;
  const stations = new Map<string, ArmStation>();
  for (const [id, slots] of Object.entries(config.stations)) {
    const at = childPointer(`${path}/config/stations`, id);
    const index = indexOf.get(id);
    if (index === undefined) findings.add(at, `there is no instrument ${id}`);
    for (const [slot, poses] of Object.entries((slots ?? {}) as Record<string, unknown>)) {
      const station = findings.read('StationConfig', poses, childPointer(at, slot));
      if (!/^\d{1,4}$/.test(slot)) findings.add(childPointer(at, slot), 'must be a slot number');
      else if (station && index !== undefined) {
        stations.set(locationKey({ instrument: index, slot: Number(slot) }), station);
      }
    }
  }
  return { config, stations };
}

interface MoveSources {
  readonly labware: readonly PlanLabware[];
  readonly tasks: readonly ModelTask[];
}

/** A move that a plan may contain, and the task that needs it. */
export interface PossibleMove {
  readonly from: SlotLocation;
  readonly to: SlotLocation;
  readonly task: number;
  readonly labware: number;
}

/** Returns every move that a plan may contain. */
export function possibleMoves({ labware, tasks }: MoveSources): PossibleMove[] {
  return labware.flatMap((piece, l) => {
    let locations: SlotLocation[] = [piece.location];
    return piece.tasks.flatMap((task) => {
      const use = tasks[task]!.uses.find((one) => one.labware === l);
      if (!use || tasks[task]!.skip) return [];
      const { candidates } = tasks[task]!;
      const targets = candidates.map((instrument) => ({ instrument, slot: use.slot }));
      const moves = locations.flatMap((from) =>
        targets.flatMap((to) =>
          locationKey(from) === locationKey(to) ? [] : [{ from, to, task, labware: l }],
        ),
      );
      locations = candidates.map((instrument) => ({ instrument, slot: use.slot_after }));
      return moves;
    });
  });
}

/** Returns every move into or out of a buffer that a plan may contain. */
export function bufferMoves({
  labware,
  tasks,
  buffers,
}: MoveSources & { readonly buffers: readonly SlotLocation[] }): Omit<
  PossibleMove,
  'task' | 'labware'
>[] {
  if (buffers.length === 0) return [];
  const places = new Map<string, SlotLocation>();
  for (const { tasks: chain, location } of labware) {
    if (chain.length > 0) places.set(locationKey(location), location);
  }
  for (const { candidates, uses } of tasks) {
    for (const instrument of candidates) {
      for (const { slot, slot_after } of uses) {
        for (const place of [slot, slot_after]) {
          const location = { instrument, slot: place };
          places.set(locationKey(location), location);
        }
      }
    }
  }
  return buffers.flatMap((buffer) =>
    [...places.values()]
      .filter((place) => locationKey(place) !== locationKey(buffer))
      .flatMap((place) => [
        { from: place, to: buffer },
        { from: buffer, to: place },
      ]),
  );
}

/** Adds an error for each location that labware is moved from or to without a station. */
export function checkStations(
  findings: DefinitionFindings,
  { arm, instruments }: { arm: ArmTransportSetup; instruments: readonly ModelInstrument[] },
  routes: MoveSources,
): void {
  const reported = new Set<string>();
  for (const { from, to, task, labware } of possibleMoves(routes)) {
    for (const location of [from, to]) {
      const key = locationKey(location);
      if (arm.stations.has(key) || reported.has(key)) continue;
      reported.add(key);
      const { id } = instruments[location.instrument]!;
      const piece = routes.labware[labware]!.id;
      findings.add(
        childPointer('/workflow/tasks', routes.tasks[task]!.id),
        `needs ${piece} moved from or to ${id} slot ${location.slot}, which has no station`,
      );
    }
  }
}
