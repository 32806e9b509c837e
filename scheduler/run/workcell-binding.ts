/**
 * Matches a definition with the deck of its workcell before a run: where each piece stands, which
 * one the gripper holds, and what a stopped run has done already.
 */

import { isRefusal, type Refusal, refuse } from '../../contract/refusal.ts';
import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import type { TwinTime } from '../../server/clock/twin-time.ts';
import type { LateError } from '../../server/store/guard.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { definitionRefusal } from '../definition/definition-refusal.ts';
import { describedWorkcell, describes, workcellNameOf } from '../definition/definition-workcell.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { holdsLocation, type PlannedLabwareMove, placesFor } from '../plan/problem.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import { type CurrentCell, deckOfCell, OBJECT_CALL } from '../workcell/cell-deck.ts';
import { homelessLabware } from '../workcell/deck.ts';
import {
  type DeckMode,
  type DeckStart,
  deckStart,
  otherLocations,
} from '../workcell/deck-start.ts';
import type { SharedWorkcell } from '../workcell/shared-workcell.ts';
import type { Workcell, Workcells } from '../workcell/workcells.ts';
import { type Continuation, continuedModel, statementFaults } from './continued-model.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { RunsParts } from './runs-parts.ts';
import { unknownFaults } from './simulated-results.ts';
import type { StartError, StartRequest } from './start-request.ts';

/** A definition that is matched with its workcell. */
export interface BoundWorkflow {
  readonly model: WorkflowModel;
  /** Null for a run with simulated drivers. */
  readonly workcell: Workcell | null;
  /** Index of the piece that is in the gripper; −1 for none. */
  readonly held: number;
  /** Identifies where the pieces stand and which one is held. */
  readonly start: string;
  /** Pieces on the deck that belong to no run. */
  readonly statics: ReadonlyMap<string, SlotLocation>;
}

function startKey({ workflow }: WorkflowDefinition, held: string | null): string {
  return JSON.stringify([held, workflow.labware.map((one) => [one.id, one.starting_location])]);
}

/** What a caller can do where the deck differs, by what the start says of it. */
const ADVICE: Readonly<Record<DeckMode, string>> = {
  check: 'Set the deck, or start with "deck": "as_defined" or "as_found"',
  as_defined: 'Set the deck, or start with "deck": "as_found"',
  as_found: 'Set the deck',
};

/** The mode of a start; a run that continues another takes the deck as found. */
function deckModeOf({ options }: StartRequest): DeckMode {
  return options.deck ?? (options.continue_run_id ? 'as_found' : 'check');
}

/** What a caller can do where the deck is that of a cell: no word of a caller moves an object. */
const CELL_ADVICE = `Move the object (${OBJECT_CALL})`;

/** Whether the deck is that of a cell, and pieces of the definition stand in no slot there. */
interface CellFindings {
  readonly inCell: boolean;
  readonly hasStrays: boolean;
}

/** The refusal of a start on a deck that differs. */
function deckRefusal(
  request: StartRequest,
  differences: readonly string[],
  { inCell, hasStrays }: CellFindings,
) {
  const mode = deckModeOf(request);
  const canFind = mode !== 'as_found' && !hasStrays;
  const inCellAdvice = canFind ? `${CELL_ADVICE}, or start with "deck": "as_found"` : CELL_ADVICE;
  const advice = inCell ? inCellAdvice : ADVICE[mode];
  return refuse('wrong_state', `The deck differs: ${differences.join('; ')}. ${advice}`);
}

function takenRefusal(taken: readonly { readonly id: string }[]): Refusal<StartError> | null {
  if (taken.length === 0) return null;
  const names = taken.map(({ id }) => `${id} belongs to an active run`).join('; ');
  return refuse('wrong_state', `${names}. Wait for its end, or stop it`);
}

/** The pieces that no run carries: those of no run, and the consumables of this one. */
function withConsumables(
  { supplies }: WorkflowModel,
  others: Map<string, SlotLocation>,
): Map<string, SlotLocation> {
  for (const { id, location } of supplies) if (location) others.set(id, location);
  return others;
}

/** What the binding asks of the runs of the twin. */
export interface RunsOnWorkcells {
  /** Returns a run of this owner, or null. */
  find(owner_id: number, id: number): RunRecord | null;
  /** The ids of the live runs on a workcell. */
  idsOn(workcell_id: number): number[];
  /** What the active runs on a workcell share; null without one. */
  sharedOn(workcell_id: number): Pick<SharedWorkcell, 'runs' | 'neighboursOf'> | null;
  /** Brings the deck of a workcell up to date with the runs on it. */
  updateDecks(workcell_id: number): void;
}

/** Finds the workcell of each start, and compares its deck with what the definition expects. */
export class WorkcellBinding {
  private readonly runs: RunsOnWorkcells;
  private readonly workcells: Workcells;
  private readonly cell: CurrentCell;
  private readonly time: TwinTime;

  constructor(
    runs: RunsOnWorkcells,
    { workcells, cell, time }: Pick<RunsParts, 'workcells' | 'cell' | 'time'>,
  ) {
    this.runs = runs;
    this.time = time;
    this.workcells = workcells;
    this.cell = cell;
  }

  /** The workcell of a definition, created or updated from it. */
  private async workcellOf({ caller, definition, recheck }: StartRequest) {
    const { workcells } = this;
    const found = workcells.named(caller.user_id, workcellNameOf(definition));
    const body = describedWorkcell(definition)!;
    if (found === null) return workcells.create(caller.user_id, body, { guard: recheck });
    if (describes(definition, found)) return found;
    const [busy] = this.runs.idsOn(found.id);
    if (busy !== undefined) {
      return refuse('wrong_state', `Run ${busy} uses workcell ${found.name} as it is now`);
    }
    const homeless = homelessLabware(found.deck, body.instruments);
    if (homeless.length > 0) return refuse('wrong_state', `${homeless.join('; ')}. Set the deck`);
    return workcells.update(found, body);
  }

  /** The run that this one continues; null for none. */
  private continued({
    caller,
    workflow_id,
    options,
  }: StartRequest): RunRecord | null | Refusal<'not_found' | StartError> {
    const { continue_run_id: id } = options;
    if (id === undefined) return null;
    const record = this.runs.find(caller.user_id, id);
    if (!record) return refuse('not_found', `You have no run ${id}`);
    if (record.head.workflow_id !== workflow_id) {
      const problem = `names run ${id}, which is of workflow ${record.head.workflow_id}`;
      return refuse('invalid_arguments', [{ path: '/continue_run_id', problem }]);
    }
    if (record.head.state === 'stopped') return record;
    return refuse(
      'wrong_state',
      `Run ${id} is ${record.head.state}; it can be continued once stopped`,
    );
  }

  private deckStart(request: StartRequest, { id, deck }: Workcell): DeckStart & CellFindings {
    const { definition, options } = request;
    this.runs.updateDecks(id);
    const mode = deckModeOf(request);
    const shared = this.runs.sharedOn(id);
    const active = new Set(
      shared?.runs.flatMap(({ model }) => model.labware.map((piece) => piece.id)),
    );
    // What belongs to an active run is no difference: it is on its way.
    const real = options.simulate_drivers ? null : deckOfCell(this.cell(), definition);
    const present = [...(real?.deck ?? deck)];
    const own = new Map(present.filter(([labware_id]) => !active.has(labware_id)));
    // No word of a caller moves a plate of the cell.
    const start = deckStart(own, definition, real && mode === 'as_defined' ? 'check' : mode);
    const strays = real?.strays ?? [];
    const differences = [...strays, ...start.differences];
    return { ...start, differences, inCell: real !== null, hasStrays: strays.length > 0 };
  }

  /** The refusal of pieces that belong to an active run. */
  private activeFault({ definition }: StartRequest, { id }: Workcell): Refusal<StartError> | null {
    const active = new Set(
      this.runs.sharedOn(id)?.runs.flatMap(({ model }) => model.labware.map((piece) => piece.id)),
    );
    return takenRefusal(definition.workflow.labware.filter((piece) => active.has(piece.id)));
  }

  /** The refusal of pieces that the run carries, and that an active run takes units of where they stand. */
  private consumableFault({ model, workcell }: BoundWorkflow): Refusal<StartError> | null {
    const { runs = [] } = (workcell && this.runs.sharedOn(workcell.id)) ?? {};
    const standing = new Set(
      runs.flatMap((run) => run.model.supplies.flatMap((one) => (one.location ? [one.id] : []))),
    );
    return takenRefusal(model.labware.filter(({ id }) => standing.has(id)));
  }

  /** The start locations in which active runs have a piece. */
  private takenPlaces({ model, workcell, held }: BoundWorkflow): string[] {
    const shared = workcell && this.runs.sharedOn(workcell.id);
    if (!shared) return [];
    const { holderOf } = shared.neighboursOf(null);
    const standing = model.supplies.flatMap(({ id, location }) =>
      location ? [{ id, location }] : [],
    );
    return [...model.labware, ...standing].flatMap(({ id, location }, piece) => {
      const { id: instrument_id, slotless } = model.instruments[location.instrument]!;
      const holder = piece === held || slotless ? undefined : holderOf(location);
      if (holder === undefined || holder === id) return [];
      return [`${instrument_id} slot ${location.slot} holds ${holder}, not ${id}`];
    });
  }

  /** Matches a definition with the deck of its workcell. */
  async bind(
    request: StartRequest,
  ): Promise<BoundWorkflow | Refusal<'not_found' | StartError | LateError>> {
    const earlier = this.continued(request);
    if (earlier && isRefusal(earlier)) return earlier;
    const workcell = request.options.simulate_drivers ? null : await this.workcellOf(request);
    if (workcell && isRefusal(workcell)) return workcell;
    const active = workcell && this.activeFault(request, workcell);
    if (active) return active;
    const start = workcell ? this.deckStart(request, workcell) : null;
    const { definition = request.definition, held = null, others = [] } = start ?? {};
    if (start && start.differences.length > 0) {
      return deckRefusal(request, start.differences, start);
    }
    const { labware } = definition.workflow;
    const { model, errors } = await request.check({ labware, held });
    if (!model) return definitionRefusal(errors);
    const unknown = unknownFaults(model, request.options.faults ?? []);
    if (unknown.length > 0) return refuse('invalid_arguments', unknown);
    const continuation = earlier && this.continuation(request, earlier);
    const unclear = continuation ? statementFaults(model, continuation) : [];
    if (unclear.length > 0) return refuse('invalid_arguments', unclear);
    const bound = {
      model: continuation ? continuedModel(model, continuation) : model,
      workcell,
      held: model.labware.findIndex(({ id }) => id === held),
      start: startKey(definition, held),
      statics: withConsumables(model, otherLocations(model, others)),
    };
    return (
      this.consumableFault(bound) ??
      this.takenFault(request, bound, start?.inCell === true) ??
      bound
    );
  }

  private continuation({ options }: StartRequest, record: RunRecord): Continuation {
    const since_s = (this.time.epoch_ms - Date.parse(record.head.started_at)) / 1000;
    return { record, statements: options.interrupted_tasks ?? {}, since_s };
  }

  private takenFault(
    request: StartRequest,
    bound: BoundWorkflow,
    inCell: boolean,
  ): Refusal<StartError> | null {
    const taken = this.takenPlaces(bound);
    if (taken.length === 0) return null;
    return deckRefusal(request, taken, { inCell, hasStrays: true });
  }

  /** The move that puts down the held piece where its next task needs it; null if none can. */
  async heldMove(
    { model, held, workcell, statics }: BoundWorkflow,
    moves: PreparedMoves,
  ): Promise<PlannedLabwareMove | null> {
    const neighbours = workcell && this.runs.sharedOn(workcell.id)?.neighboursOf(null);
    const isShut = ({ instrument }: SlotLocation) =>
      model.instruments[instrument]!.closed === true &&
      (neighbours?.runningOn(instrument) ?? []).length > 0;
    const isTaken = (to: SlotLocation) =>
      isShut(to) ||
      model.labware.some((one, l) => l !== held && holdsLocation(model, one, to)) ||
      [...statics.values()].some((one) => holdsLocation(model, { location: one }, to)) ||
      neighbours?.holderOf(to) !== undefined;
    const { tasks, location } = model.labware[held]!;
    const [task] = tasks;
    const use =
      task === undefined
        ? undefined
        : model.tasks[task]!.uses.find(({ labware }) => labware === held);
    const places: SlotLocation[] = use
      ? placesFor(model, model.tasks[task!]!.candidates, use.slot)
      : [location];
    for (const to of places) {
      const time_s = !isTaken(to) ? await moves.putDownTime_s(to) : null;
      if (time_s === null) continue;
      const from = isTaken(location) ? to : location;
      return { task: task ?? -1, labware: held, from, to, start_s: 0, end_s: time_s };
    }
    return null;
  }

  /** The units that are left of labware on a workcell; none are known without one. */
  stockOf({ workcell }: BoundWorkflow): Map<string, number> {
    return (workcell && this.workcells.get(workcell.id)?.stock) ?? new Map();
  }

  /** The pieces on the deck that belong to no run now. */
  staticsNow(request: StartRequest, { model, workcell }: BoundWorkflow): Map<string, SlotLocation> {
    const now = workcell && this.workcells.get(workcell.id);
    return now ? otherLocations(model, this.deckStart(request, now).others) : new Map();
  }

  /** Whether the deck has changed since the run was matched with it. */
  movedFault(request: StartRequest, bound: BoundWorkflow): Refusal<StartError> | null {
    const { workcell } = bound;
    const now = workcell && this.workcells.get(workcell.id);
    if (!workcell) return null;
    const changed = refuse('wrong_state', 'The deck has changed meanwhile; start again');
    if (!now) return changed;
    if (this.activeFault(request, now)) return changed;
    const { definition, held, differences } = this.deckStart(request, now);
    if (differences.length > 0 || this.takenPlaces(bound).length > 0) return changed;
    return startKey(definition, held) === bound.start ? null : changed;
  }
}
