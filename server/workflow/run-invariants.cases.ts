/**
 * Random runs on random workcells with faults and an impatient operator, and what must hold for
 * the events and the deck of each: nothing overlaps, nothing stays open, both agree.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { DeckState, RunEvent } from '../../contract/types.ts';
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import type { TwinAndClient } from '../simulation/twin-client.cases.ts';
import { clearDecks } from './assay.cases.ts';

interface RandomWorkcell {
  readonly definition: Record<string, unknown>;
  readonly starts: ReadonlyMap<string, string>;
  readonly capacities: ReadonlyMap<string, number>;
  readonly tasks: readonly string[];
}

const STEPS_S = 9;
const POLICIES = ['continue', 'pause', 'abort_labware', 'stop'];
const RACK = { id: 'rack', type: 'rack', capacity: 2, role: 'buffer' };

/** Plates from a hotel over instruments with one slot a plate, some with a buffer and limits. */
export function randomWorkcell(random: Prng): RandomWorkcell {
  const whole = (most: number) => Math.floor(random() * most);
  const [pieces, kinds] = [2 + whole(3), 2 + whole(2)];
  const labware = Array.from({ length: pieces }, (_, i) => `plate_${i + 1}`);
  const tasks: Record<string, unknown> = {};
  const constraints: unknown[] = [];
  labware.forEach((plate, i) => {
    const count = 1 + whole(3);
    for (let step = 0; step < count; step++) {
      const need = { labware_id: plate, destination_slot: i + 1 };
      const source =
        step === 0
          ? { ...need, type: 'stored_labware' }
          : { ...need, type: 'labware_source', source_task: `${plate}_${step - 1}` };
      const time_estimate = 5 + whole(20);
      tasks[`${plate}_${step}`] = {
        instrument: { type: `kind_${whole(kinds)}` },
        action: 'work',
        time_estimate,
        mock_behaviour: { execution_time: Math.ceil(time_estimate * (0.7 + 0.8 * random())) },
        labware_sources: { [plate]: source },
        available_failure_actions: { ignore: true },
      };
    }
    if (random() < 0.4) {
      const ends = { start_task_id: `${plate}_0`, end_task_id: `${plate}_${count - 1}` };
      const on_violation = POLICIES[whole(POLICIES.length)];
      const limit = { type: 'start_to_end', max_duration: 140, on_violation };
      constraints.push({ id: `limit_${plate}`, ...ends, ...limit });
    }
  });
  const instruments = Array.from({ length: kinds }, (_, i) => {
    return { id: `instrument_${i}`, type: `kind_${i}`, capacity: pieces };
  });
  return {
    definition: {
      name: 'random',
      workflow: {
        labware: labware.map((id, i) => {
          return { id, starting_location: { instrument: 'hotel', slot: i + 1 } };
        }),
        tasks,
        time_constraints: constraints,
      },
      workcell: {
        workcell_id: 'random',
        instruments: [
          { id: 'hotel', type: 'hotel', capacity: pieces },
          ...instruments,
          ...(random() < 0.5 ? [RACK] : []),
          { id: 'arm', type: 'transport' },
        ],
        transport_matrix: { default: 4 },
      },
    },
    starts: new Map(labware.map((id, i) => [id, `hotel/${i + 1}`])),
    capacities: new Map(instruments.map(({ id, capacity }) => [id, capacity])),
    tasks: Object.keys(tasks),
  };
}

/** Follows the events of a run and collects what contradicts itself. */
class EventMonitor {
  readonly faults: string[] = [];
  private readonly openTasks = new Map<string, string>();
  private readonly failedTasks = new Set<string>();
  private readonly places: Map<string, string>;
  private carried: string | null = null;
  private state = '';
  private readonly workcell: RandomWorkcell;

  constructor(workcell: RandomWorkcell) {
    this.workcell = workcell;
    this.places = new Map(workcell.starts);
  }

  private require(holds: boolean, text: string): void {
    if (!holds) this.faults.push(text);
  }

  take({ hook_type, body, sequence }: RunEvent, i: number): void {
    this.require(sequence === i + 1, `event ${i + 1} has the number ${sequence}`);
    this.require(this.state !== 'stopped', `${hook_type} after the end`);
    if (hook_type === 'TaskStateChangeHook') this.takeTask(body);
    if (hook_type === 'LabwareMovementHook') this.takeMovement(body);
    if (hook_type === 'RunStateChangeHook') this.takeState(body.state);
  }

  private takeTask(body: { task_id: string; instrument_id: string; state: string }): void {
    const { task_id, instrument_id, state } = body;
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

  private takeState(state: string): void {
    const allowed: Record<string, readonly string[]> = {
      '': ['started'],
      started: ['paused', 'stopped'],
      paused: ['resumed', 'stopped'],
      resumed: ['paused', 'stopped'],
    };
    this.require(allowed[this.state]?.includes(state) ?? false, `${this.state} becomes ${state}`);
    this.state = state;
  }

  /** What is left at the end, and where the deck differs from the events. */
  end({ labware, gripper }: Pick<DeckState, 'labware' | 'gripper'>): void {
    this.require(this.state === 'stopped', `the last state is ${this.state}`);
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

type RunPath = { readonly run_id: number };

/** One thing that an operator or a fault may do; refusals are part of it. */
async function disturb(
  arm: ArmClient,
  run: RunPath,
  { random, workcell }: { readonly random: Prng; readonly workcell: RandomWorkcell },
): Promise<unknown> {
  const pick = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)]!;
  const instrument_id = pick([...workcell.capacities.keys()]);
  const labware_id = pick([...workcell.starts.keys()]);
  const task = { task_id: pick(workcell.tasks) };
  return pick([
    () => arm.pauseRun(run, { immediate: random() < 0.5 }),
    () => arm.setEmergencyStop({ engaged: true }),
    () => arm.setInstrument({ instrument_id, is_up: false }),
    () => arm.setInstrument({ instrument_id, is_up: true }),
    () => arm.abortLabware(run, { labware_id }),
    () => arm.replanRun(run),
    () => arm.skipTask(run, task),
    () => arm.whatIf(run, task),
    () => (random() < 0.2 ? arm.stopRun(run) : arm.getRun(run)),
  ])();
}

/** Releases the stop and resolves failed tasks, so that the run can go on. */
async function recover({ arm, twin }: TwinAndClient, run: RunPath, random: Prng): Promise<void> {
  await arm.setEmergencyStop({ engaged: false });
  await twin.advance(0.5);
  const { tasks, state } = (await arm.getRun(run)).run;
  if (state !== 'paused') return;
  for (const { id: task_id, state: of } of tasks) {
    if (of !== 'failed') continue;
    if (random() < 0.6) await arm.retryTask(run, { task_id });
    else await arm.completeTask(run, { task_id });
  }
  await arm.resumeRun(run);
}

const ignore = () => {};

/** Plays one run; returns what was wrong, and how many events there were. */
export async function disturbedRun(
  stage: TwinAndClient,
  seed: number,
): Promise<{ readonly faults: readonly string[]; readonly events: number }> {
  const { arm, twin } = stage;
  const random = createPrng(seed);
  const workcell = randomWorkcell(random);
  const { workflow } = await arm.createWorkflow(workcell.definition);
  const faults = workcell.tasks.flatMap((task_id) => (random() < 0.2 ? [{ task_id }] : []));
  const started = await arm.startRun({ workflow_id: workflow.id }, { faults }).catch(() => null);
  await arm.deleteWorkflow({ workflow_id: workflow.id });
  if (started === null) return { faults: [], events: 0 };
  const run = { run_id: started.run.id };
  for (let i = 0; i < 12; i++) {
    await twin.advance(STEPS_S * random());
    if (random() < 0.6) await disturb(arm, run, { random, workcell }).catch(ignore);
    if (random() < 0.5) await recover(stage, run, random).catch(ignore);
  }
  await arm.setEmergencyStop({ engaged: false });
  for (const instrument_id of workcell.capacities.keys()) {
    await arm.setInstrument({ instrument_id, is_up: true });
  }
  await twin.advance(1);
  await arm.stopRun(run).catch(ignore);
  const monitor = new EventMonitor(workcell);
  const { events } = await arm.listRunEvents(run);
  events.forEach((event, i) => {
    monitor.take(event, i);
  });
  const { workcells } = await arm.listWorkcells();
  const { id } = workcells.find(({ name }) => name === 'random')!;
  monitor.end((await arm.getDeck({ workcell_id: id })).deck);
  await clearDecks(arm);
  const found = monitor.faults.map((fault) => `seed ${seed}: ${fault}`);
  return { faults: found, events: events.length };
}
