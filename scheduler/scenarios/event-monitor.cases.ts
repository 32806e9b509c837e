/**
 * What must hold for the events and the deck of runs on a workcell: nothing overlaps, nothing stays
 * open, both agree.
 */
import type { DeckState, RunEvent, RunStateChange } from '../../contract/types.generated.ts';

/** A workcell whose runs are monitored. */
export interface MonitoredWorkcell {
  readonly starts: ReadonlyMap<string, string>;
  readonly capacities: ReadonlyMap<string, number>;
}

/** Returns how a deck contradicts itself: pieces that are missing, double, or in one slot. */
export function deckContradictions(
  { labware, gripper }: Pick<DeckState, 'labware' | 'gripper'>,
  pieces: readonly string[],
): string[] {
  const faults: string[] = [];
  const places = labware.map(({ instrument_id, slot }) => `${instrument_id}/${slot}`);
  if (new Set(places).size < places.length) faults.push(`two pieces in one slot: ${places}`);
  const found = [...labware.map(({ labware_id }) => labware_id), ...(gripper ? [gripper] : [])];
  const wanted = [...pieces].sort().join();
  if (found.sort().join() !== wanted) faults.push(`the deck has ${found}, not ${wanted}`);
  return faults;
}

/** Follows the events of the runs on a workcell and collects what contradicts itself. */
export class EventMonitor {
  readonly faults: string[] = [];
  private readonly openTasks = new Map<string, string>();
  private readonly failedTasks = new Set<string>();
  private readonly places: Map<string, string>;
  private carried: string | null = null;
  private readonly states: string[] = [];
  /** The runs that have been resumed and have no plan since. */
  private readonly planless = new Set<number>();
  /** When each run had its latest plan. */
  private readonly planned: string[] = [];
  private readonly sequences: number[] = [];
  private readonly workcell: MonitoredWorkcell;

  constructor(workcell: MonitoredWorkcell) {
    this.workcell = workcell;
    this.places = new Map(workcell.starts);
  }

  private require(holds: boolean, text: string): void {
    if (!holds) this.faults.push(text);
  }

  /** Takes the events of runs in the order of time; of equal times, what ends comes first. */
  takeAll(lists: readonly (readonly RunEvent[])[]): void {
    const next = lists.map(() => 0);
    const order = ({ body }: RunEvent) => {
      const isStart = 'state' in body && ['started', 'resumed'].includes(body.state);
      return `${body.timestamp} ${isStart ? 1 : 0}`;
    };
    for (;;) {
      let first = -1;
      lists.forEach((list, run) => {
        const event = list[next[run]!];
        const best = first < 0 ? undefined : lists[first]![next[first]!];
        if (event && (!best || order(event) < order(best))) first = run;
      });
      if (first < 0) return;
      this.take(lists[first]![next[first]!]!, first);
      next[first]! += 1;
    }
  }

  private take({ hook_type, body, sequence }: RunEvent, run: number): void {
    const last = this.sequences[run] ?? 0;
    this.require(sequence === last + 1, `event ${last + 1} has the number ${sequence}`);
    this.sequences[run] = sequence;
    this.require(this.states[run] !== 'stopped', `${hook_type} after the end`);
    if ('state' in body && body.state === 'started') {
      this.require(!this.planless.has(run), `${hook_type} before the plan of a resumed run`);
    }
    if (hook_type === 'NewPlanHook') {
      this.planless.delete(run);
      this.planned[run] = body.timestamp;
    }
    if (hook_type === 'TaskStateChangeHook') this.takeTask(body);
    if (hook_type === 'LabwareMovementHook') this.takeMovement(body);
    if (hook_type !== 'RunStateChangeHook') return;
    this.takeState(body, run);
    // A task whose plate is in the gripper fails with its movement: only the run names it.
    const failed = /^task (\S+) failed: /.exec(body.message)?.[1];
    if (failed !== undefined) this.failedTasks.add(failed);
  }

  private takeTask(body: { task_id: string; instrument_id: string; state: string }): void {
    const { task_id, instrument_id, state } = body;
    const isKnown = this.workcell.capacities.has(instrument_id);
    this.require(isKnown, `${task_id} ${state} on the instrument “${instrument_id}”`);
    if (state === 'started') {
      this.require(!this.openTasks.has(task_id), `${task_id} starts twice`);
      this.openTasks.set(task_id, instrument_id);
      const busy = [...this.openTasks.values()].filter((one) => one === instrument_id).length;
      const most = this.workcell.capacities.get(instrument_id) ?? 0;
      this.require(busy <= most, `${instrument_id} does ${busy} tasks at a time`);
      return;
    }
    const isOpen = this.openTasks.delete(task_id);
    if (state === 'succeeded') {
      this.require(isOpen || this.failedTasks.has(task_id), `${task_id} succeeds without a start`);
    }
    if (state === 'failed') this.failedTasks.add(task_id);
  }

  private takeMovement(body: {
    labware_id: string;
    state: string;
    source_instrument_id: string;
    source_slot: number;
    destination_instrument_id: string;
    destination_slot: number;
  }): void {
    const { labware_id, state } = body;
    const source = `${body.source_instrument_id}/${body.source_slot}`;
    const destination = `${body.destination_instrument_id}/${body.destination_slot}`;
    if (state === 'started') {
      const place = this.places.get(labware_id);
      const isHeld = place === 'gripper';
      this.require(this.carried === null, `${labware_id} is picked up beside ${this.carried}`);
      this.require(isHeld || place === source, `${labware_id} is in ${place}, not ${source}`);
      const gripped = [...this.places].filter(([, at]) => at === 'gripper').map(([id]) => id);
      this.require(isHeld || gripped.length === 0, `the gripper holds ${gripped} already`);
      this.carried = labware_id;
      this.places.set(labware_id, 'gripper');
      return;
    }
    this.require(this.carried === labware_id, `${labware_id} ${state} without a start`);
    this.carried = null;
    if (state !== 'finished') return;
    const holder = [...this.places].find(([, place]) => place === destination)?.[0];
    this.require(holder === undefined, `${destination} holds ${holder} and ${labware_id}`);
    this.places.set(labware_id, destination);
  }

  private takeState({ state, timestamp }: RunStateChange, run: number): void {
    const allowed: Record<string, readonly string[]> = {
      '': ['started'],
      started: ['paused', 'stopped'],
      paused: ['resumed', 'stopped'],
      resumed: ['paused', 'stopped'],
    };
    const before = this.states[run] ?? '';
    this.require(allowed[before]?.includes(state) ?? false, `${before} becomes ${state}`);
    this.states[run] = state;
    // One plan at a tick: one that was published at this very tick is that of the resumption.
    if (state === 'resumed' && this.planned[run] !== timestamp) this.planless.add(run);
    else this.planless.delete(run);
  }

  /** What is left at the end, and where the deck differs from the events. */
  end({ labware, gripper }: Pick<DeckState, 'labware' | 'gripper'>): void {
    for (const state of this.states) {
      this.require(state === 'stopped', `the last state is ${state}`);
    }
    this.require(this.openTasks.size === 0, `${[...this.openTasks.keys()]} stay open`);
    this.require(this.carried === null, `the movement of ${this.carried} stays open`);
    const deck = new Map<string, string>(
      labware.map((one) => [one.labware_id, `${one.instrument_id}/${one.slot}`] as const),
    );
    if (gripper !== null) deck.set(gripper, 'gripper');
    for (const [id, place] of this.places) {
      this.require(deck.get(id) === place, `${id} is in ${deck.get(id)}, by events in ${place}`);
    }
  }
}
