/**
 * What must hold at every tick while runs are active on a workcell: pieces, slots, gripper, tasks
 * and instruments are consistent, and the events that were published so far say the same. It hooks
 * into the timers, which every tick that is computed fires; between them the loop changes nothing.
 */
import type { LabwareMovement, RunEvent, TaskStateChange } from '../../contract/types.generated.ts';
import { Timers } from '../../server/clock/timers.ts';
import type { Member } from '../joint/member.ts';
import { GONE, isPlaceOn, locationKey } from '../plan/slot-location.ts';
import { RunLog } from '../run/run-log.ts';
import { SharedWorkcell } from '../workcell/shared-workcell.ts';

/** Faults that are kept: a broken state lasts for many ticks. */
const MOST_FAULTS = 20;
const GRIPPER = 'gripper';

interface Originals {
  readonly fire: Timers['fire'];
  readonly add: SharedWorkcell['add'];
  readonly publish: RunLog['publish'];
}

function placeOf({ model }: Member, location: Member['progress']['locations'][number]): string {
  if (location === GONE) return 'gone';
  return location ? `${model.instruments[location.instrument]!.id}/${location.slot}` : GRIPPER;
}

/** The state that is judged, as values that compare cheaply. */
function stateOf({ runs, version, leftInGripper }: SharedWorkcell, events: number): unknown[] {
  const state: unknown[] = [version, leftInGripper, events, runs.length];
  for (const { progress } of runs) {
    for (const location of progress.locations) state.push(location);
    for (const task of progress.tasks) state.push(task.state, task.instrument);
    state.push(progress.moves.length, progress.moves.at(-1)?.end_s);
  }
  return state;
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Whether a run has a carry that can be done now, in a plan that has been published. */
function hasCarry({ readyMove, publisher }: Member): boolean {
  return readyMove !== null && !publisher.isAwaited;
}

export class TickMonitor {
  readonly faults: string[] = [];
  /** Ticks that were computed while a run was active, and those of them where something changed. */
  ticks = 0;
  changes = 0;
  /** Called at each of these ticks with the piece in the gripper. */
  onTick: (gripped: string | null) => string[] = () => [];
  private readonly workcells = new Set<SharedWorkcell>();
  private readonly places = new Map<string, string>();
  private readonly openTasks = new Set<string>();
  private events = 0;
  private last: unknown[] = [];
  /** The piece that the arm could have carried at the last tick; null for none. */
  private idle: string | null = null;
  private readonly originals: Originals;

  constructor() {
    const { fire } = Timers.prototype;
    const { add } = SharedWorkcell.prototype;
    const { publish } = RunLog.prototype;
    this.originals = { fire, add, publish };
    const monitor = this;
    Timers.prototype.fire = function observed(tick) {
      monitor.check(tick);
      fire.call(this, tick);
    };
    SharedWorkcell.prototype.add = function observed(run, found, tick) {
      add.call(this, run, found, tick);
      monitor.follow(this, run);
    };
    RunLog.prototype.publish = function observed(hook_type, content, reason) {
      publish.call(this, hook_type, content, reason);
      const body: object = content;
      monitor.take({ sequence: 1, hook_type, body } as RunEvent);
    };
  }

  /** Removes the hooks. */
  close(): void {
    Timers.prototype.fire = this.originals.fire;
    SharedWorkcell.prototype.add = this.originals.add;
    RunLog.prototype.publish = this.originals.publish;
  }

  private follow(workcell: SharedWorkcell, run: Member): void {
    this.workcells.add(workcell);
    run.progress.locations.forEach((location, piece) => {
      this.places.set(run.model.labware[piece]!.id, placeOf(run, location));
    });
  }

  private take({ hook_type, body }: RunEvent): void {
    if (hook_type === 'LabwareMovementHook') this.takeMovement(body);
    else if (hook_type === 'TaskStateChangeHook') this.takeTask(body);
  }

  private takeMovement(content: LabwareMovement): void {
    this.events++;
    const { labware_id, state, destination_instrument_id, destination_slot } = content;
    if (state === 'started') this.places.set(labware_id, GRIPPER);
    if (state !== 'finished') return;
    this.places.set(labware_id, `${destination_instrument_id}/${destination_slot}`);
  }

  private takeTask({ task_id, state }: TaskStateChange): void {
    this.events++;
    if (state === 'started') this.openTasks.add(task_id);
    else this.openTasks.delete(task_id);
  }

  /** A carry that could have begun at the tick before and has not: the arm is idle beside it. */
  private judgeIdleness(workcell: SharedWorkcell, tick: number): void {
    const runs = workcell.runs.filter(({ canStart }) => canStart);
    const isMoving = workcell.runs.some(({ progress }) =>
      progress.moves.some(({ end_s }) => end_s === null),
    );
    const run = isMoving || !workcell.arm.transporter.isReady ? undefined : runs.find(hasCarry);
    const { model, readyMove } = run ?? {};
    const idle = readyMove ? model!.labware[readyMove.labware]!.id : null;
    if (idle !== null && idle === this.idle) {
      this.report(tick, [`the arm is idle, and ${idle} could be carried`]);
    }
    this.idle = idle;
  }

  private check(tick: number): void {
    for (const workcell of this.workcells) {
      if (workcell.runs.length === 0) {
        this.workcells.delete(workcell);
        continue;
      }
      this.ticks++;
      this.judgeIdleness(workcell, tick);
      const state = stateOf(workcell, this.events);
      // Equal states are judged equally.
      if (!isSame(state, this.last)) {
        this.changes++;
        this.last = state;
        this.judge(workcell, tick);
      }
      this.report(tick, this.onTick(this.grippedOn(workcell)[0] ?? null));
    }
  }

  private report(tick: number, found: readonly string[]): void {
    const texts = found.map((text) => `tick ${tick}: ${text}`);
    this.faults.push(...texts.slice(0, MOST_FAULTS - this.faults.length));
  }

  private grippedOn({ runs, leftInGripper }: SharedWorkcell): string[] {
    const own = runs.flatMap(({ model, progress }) =>
      progress.locations.flatMap((at, l) => (at === null ? [model.labware[l]!.id] : [])),
    );
    return leftInGripper === null ? own : [leftInGripper, ...own];
  }

  private judge(workcell: SharedWorkcell, tick: number): void {
    const gripped = this.grippedOn(workcell);
    if (gripped.length > 1) this.report(tick, [`the gripper holds ${gripped}`]);
    this.report(tick, this.slotFaults(workcell));
    const running = workcell.runs.flatMap((run) => {
      this.report(tick, this.eventFaults(run));
      this.report(tick, this.taskFaults(run));
      return run.progress.runningTasks.map((task) => [run, task] as const);
    });
    const open = [...this.openTasks].sort().join();
    const ids = running.map(([{ model }, task]) => model.tasks[task]!.id).sort();
    if (open !== ids.join()) this.report(tick, [`by events ${open} run, by state ${ids}`]);
    const [first] = workcell.runs;
    first!.model.instruments.forEach(({ id, capacity, closed }, i) => {
      const busy = running.filter(([run, task]) => run.progress.tasks[task]!.instrument === i);
      if (busy.length > capacity) this.report(tick, [`${id} does ${busy.length} tasks`]);
      const carried = workcell.runs.flatMap(({ progress }) => progress.movesAt(i));
      if (closed && busy.length > 0 && carried.length > 0)
        this.report(tick, [`${id} is closed, and something goes in or out`]);
    });
  }

  /** A slot holds one piece, and none is on its way to the slot of another. */
  private slotFaults({ runs, statics }: SharedWorkcell): string[] {
    const holders = new Map<string, string>();
    const faults: string[] = [];
    const hold = (id: string, key: string) => {
      const other = holders.get(key);
      if (other !== undefined && other !== id) faults.push(`${key} is of ${other} and ${id}`);
      holders.set(key, id);
    };
    const isSlotless = (instrument: number) =>
      runs[0]!.model.instruments[instrument]?.slotless ?? true;
    for (const [id, at] of statics) if (!isSlotless(at.instrument)) hold(id, locationKey(at));
    for (const { model, progress } of runs) {
      progress.locations.forEach((at, piece) => {
        const { id } = model.labware[piece]!;
        if (at && !isSlotless(at.instrument)) hold(id, locationKey(at));
      });
    }
    for (const { model, progress } of runs) {
      for (const { move, end_s } of progress.moves) {
        if (end_s !== null || isSlotless(move.to.instrument)) continue;
        hold(model.labware[move.labware]!.id, locationKey(move.to));
      }
    }
    return faults;
  }

  /** The pieces are where the events have put them, and a carried one has an open move. */
  private eventFaults(run: Member): string[] {
    const { model, progress } = run;
    return progress.locations.flatMap((at, piece) => {
      const { id } = model.labware[piece]!;
      const [place, published] = [placeOf(run, at), this.places.get(id)];
      if (place === 'gone') return [];
      const faults = place === published ? [] : [`${id} is in ${place}, by events in ${published}`];
      const isMoving = progress.moves.some(
        ({ move, end_s }) => move.labware === piece && end_s === null,
      );
      if (at === null && !isMoving) faults.push(`${id} is in the gripper without a move`);
      return faults;
    });
  }

  /** The labware of a running task stands in its slots. */
  private taskFaults({ model, progress }: Member): string[] {
    return progress.runningTasks.flatMap((task) => {
      const { id, uses } = model.tasks[task]!;
      const { instrument } = progress.tasks[task]!;
      return uses.flatMap(({ labware, slot }) => {
        const at = progress.locations[labware];
        return at && isPlaceOn(at, instrument, slot)
          ? []
          : [`${id} runs without ${model.labware[labware]!.id}`];
      });
    });
  }
}
