/**
 * What a waiting task waits for in the end: where a piece is in its way, what holds that piece, and
 * so on to a task that runs, an instrument that is down, a person, or a limit of time.
 */

import type { BlockedBy } from '../../contract/types.generated.ts';
import { placesFor } from '../plan/problem.ts';
import { isPlaceOn, isSameLocation, type SlotLocation } from '../plan/slot-location.ts';
import { expectedEnd_s, isLate } from './lateness.ts';
import { balanceReasons, carriedAt, restReasons, type WorkcellState } from './readiness.ts';

interface Cause extends Omit<BlockedBy, 'text' | 'freed_by'> {
  readonly what: string;
  readonly freed_by: string;
}

const seconds = (time_s: number) => `${Math.round(time_s)} s`;

/** Follows what a task waits for. */
class Causes {
  readonly found: Cause[] = [];
  private readonly seen = new Set<number>();
  private readonly workcell: WorkcellState;
  private readonly now_s: number;
  /** The instrument that the plan has for a task; −1 for none. */
  private readonly plannedOn: (task: number) => number;

  constructor(workcell: WorkcellState, now_s: number, plannedOn: (task: number) => number) {
    [this.workcell, this.now_s, this.plannedOn] = [workcell, now_s, plannedOn];
  }

  private add(cause: Partial<Cause> & Pick<Cause, 'what' | 'freed_by'>): void {
    const nothing = { instrument_id: null, labware_id: null, task_id: null, since_s: null };
    this.found.push({ ...nothing, ...cause });
  }

  private instrumentName(instrument: number): string {
    return this.workcell.model.instruments[instrument]?.id ?? 'no instrument';
  }

  /** A task that this one has to wait for. */
  private task(task: number): void {
    const { model, progress } = this.workcell;
    const { id, uses } = model.tasks[task]!;
    const { state, instrument, start_s, error } = progress.tasks[task]!;
    if (state === 'waiting') {
      this.waiting(task);
      return;
    }
    const instrument_id = model.instruments[instrument]?.id ?? null;
    const labware_id = model.labware[uses[0]?.labware ?? -1]?.id ?? null;
    const of = { instrument_id, labware_id, task_id: id, since_s: start_s };
    if (state === 'failed') {
      const freed_by = 'a decision: retry, complete or skip it, or give up its labware';
      this.add({ ...of, what: `${id} has failed: ${error}`, freed_by });
      return;
    }
    const own = progress.running.find((one) => one.task === task);
    if (!own) return;
    const end = `its end, expected at ${seconds(expectedEnd_s(own, this.now_s))}`;
    const late_s = this.now_s - own.planned_end_s;
    const late = isLate(own, this.now_s) ? `, ${seconds(late_s)} longer than planned` : '';
    this.add({
      ...of,
      what: `${this.instrumentName(instrument)} does ${id}${late}`,
      freed_by: end,
    });
  }

  /** A piece that stands in the way. */
  private piece(labware: number, at: SlotLocation): void {
    const { model, progress } = this.workcell;
    const { id } = model.labware[labware]!;
    const next = progress.nextTaskOf(labware);
    const instrument_id = this.instrumentName(at.instrument);
    const what = `${id} stands in ${instrument_id} slot ${at.slot}`;
    if (next !== undefined) this.task(next);
    else this.add({ what, labware_id: id, instrument_id, freed_by: `taking ${id} away` });
  }

  /** The slots that a piece may go to: what stands in all of them. */
  private slots(places: readonly SlotLocation[], labware: number): void {
    const before = this.found.length;
    const counts = places.map((place) => {
      const known = this.found.length;
      this.slot(place, labware);
      return this.found.length - known;
    });
    if (counts.includes(0)) this.found.length = before;
  }

  private slot(to: SlotLocation, labware: number): void {
    const { model, progress, neighbours } = this.workcell;
    if (model.instruments[to.instrument]!.slotless) return;
    const holder = progress.locations.findIndex(
      (one, piece) => piece !== labware && one !== null && isSameLocation(one, to),
    );
    if (holder >= 0) this.piece(holder, to);
    const other = holder >= 0 ? undefined : neighbours.holderOf(to);
    if (other === undefined) return;
    const instrument_id = this.instrumentName(to.instrument);
    const what = `${other} stands in ${instrument_id} slot ${to.slot}`;
    const freed_by = `its run, or taking ${other} away`;
    this.add({ what, labware_id: other, instrument_id, freed_by });
  }

  private instrument(instrument: number): void {
    if (instrument < 0) return;
    const { id, capacity } = this.workcell.model.instruments[instrument]!;
    const since_s = this.workcell.downSince_s(instrument);
    if (since_s !== null) {
      this.add({ what: `${id} is down`, instrument_id: id, since_s, freed_by: 'its return' });
    }
    this.tasksOn(instrument, capacity);
    for (const what of balanceReasons(this.workcell, instrument)) {
      this.add({
        what,
        instrument_id: id,
        freed_by: 'the piece that balances it, or taking one away',
      });
    }
    for (const labware_id of carriedAt(this.workcell, instrument)) {
      const what = `${id} is open for ${labware_id}`;
      this.add({ what, instrument_id: id, labware_id, freed_by: 'the end of its move' });
    }
  }

  /** The tasks that keep an instrument closed which a piece is in, or goes to. */
  private closed(instrument: number): void {
    if (this.workcell.model.instruments[instrument]?.closed) this.tasksOn(instrument, 1);
  }

  /** The tasks that run on an instrument, where there are so many. */
  private tasksOn(instrument: number, least: number): void {
    const { model, progress, neighbours } = this.workcell;
    const { id } = model.instruments[instrument]!;
    const own = progress.runningTasks.filter(
      (one) => progress.tasks[one]!.instrument === instrument,
    );
    const others = neighbours.runningOn(instrument);
    if (own.length + others.length < least) return;
    for (const task of own) this.task(task);
    for (const task_id of others) {
      const freed_by = 'the end of that task of another run';
      this.add({ what: `${id} does ${task_id}`, instrument_id: id, task_id, freed_by });
    }
  }

  /** What there is not enough of for a task. */
  private supplies(task: number): void {
    const { model, progress, supplies } = this.workcell;
    for (const { supply, left, units } of supplies.shortagesOf(task)) {
      const instrument_id = supply.location
        ? this.instrumentName(supply.location.instrument)
        : null;
      this.add({
        what: `${supply.id} has ${left} units left, and ${model.tasks[task]!.id} takes ${units}`,
        labware_id: supply.id,
        instrument_id,
        since_s: progress.tasks[task]!.short_since_s,
        freed_by: 'a refill: setDeck with its units, or completeTask',
      });
    }
  }

  /** A task that waits. */
  waiting(task: number): void {
    if (this.seen.has(task)) return;
    this.seen.add(task);
    const { model, progress, limits } = this.workcell;
    const { id, after, uses } = model.tasks[task]!;
    const before = this.found.length;
    for (const other of after) if (!progress.isDone(other)) this.task(other);
    const instrument = this.plannedOn(task);
    for (const { labware, slot } of uses) {
      const piece = model.labware[labware]!.id;
      const next = progress.nextTaskOf(labware);
      const at = progress.locations[labware];
      if (progress.held.has(labware)) {
        const freed_by = 'releaseLabware';
        this.add({ what: `${piece} is on hold`, labware_id: piece, freed_by });
      } else if (next !== undefined && next !== task) this.task(next);
      else if (!at) {
        const freed_by = 'the end of its move';
        this.add({ what: `${piece} is in the gripper`, labware_id: piece, freed_by });
      } else if (instrument >= 0 && !isPlaceOn(at, instrument, slot)) {
        this.slots(placesFor(model, [instrument], slot), labware);
        for (const end of [at.instrument, instrument]) this.closed(end);
      }
    }
    this.supplies(task);
    this.instrument(instrument);
    if (this.found.length > before) return;
    for (const what of instrument < 0 ? [] : restReasons(this.workcell, task, instrument)) {
      this.add({
        what,
        task_id: id,
        instrument_id: this.instrumentName(instrument),
        freed_by: 'time',
      });
    }
    for (const what of limits.reasons(task)) {
      this.add({ what, task_id: id, freed_by: 'time, or the task that begins the limit' });
    }
  }
}

/** Returns what a waiting task waits for in the end; empty where only its time has not come. */
export function blockedBy(
  workcell: WorkcellState,
  task: number,
  { now_s, plannedOn }: { readonly now_s: number; readonly plannedOn: (task: number) => number },
): BlockedBy[] {
  const causes = new Causes(workcell, now_s, plannedOn);
  causes.waiting(task);
  const known = new Map<string, BlockedBy>();
  for (const { what, ...rest } of causes.found) {
    const since = rest.since_s === null ? '' : ` since ${seconds(rest.since_s)}`;
    const text = `${what}${since}`;
    known.set(text, { text, ...rest });
  }
  return [...known.values()];
}
