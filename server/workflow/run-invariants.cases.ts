/**
 * Random runs on random workcells with faults and an impatient operator, and what must hold for
 * the events and the deck of each: nothing overlaps, nothing stays open, both agree.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { StartRunBody } from '../../contract/types.ts';
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import type { TwinAndClient } from '../simulation/twin-client.cases.ts';
import { clearDecks } from './assay.cases.ts';
import { deckContradictions, EventMonitor, type MonitoredWorkcell } from './event-monitor.cases.ts';

interface RandomDefinition {
  readonly [name: string]: unknown;
  readonly workflow: {
    readonly labware: readonly { readonly id: string }[];
    readonly tasks: Readonly<Record<string, object>>;
    readonly time_constraints: readonly { readonly id: string }[];
  };
}

interface RandomWorkcell extends MonitoredWorkcell {
  readonly definition: RandomDefinition;
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
  const tasks: Record<string, object> = {};
  const constraints: { readonly id: string }[] = [];
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
    () => arm.holdLabware(run, { labware_id }),
    () => arm.releaseLabware(run, { labware_id }),
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

/** The part of a random definition with some of its plates, as a run of its own. */
function partOf({ definition }: RandomWorkcell, plates: readonly string[]): object {
  const { labware, tasks, time_constraints } = definition.workflow;
  const isOwn = (name: string) => plates.some((plate) => name.startsWith(`${plate}_`));
  const workflow = {
    labware: labware.filter(({ id }) => plates.includes(id)),
    tasks: Object.fromEntries(Object.entries(tasks).filter(([id]) => isOwn(id))),
    time_constraints: time_constraints.filter(({ id }) => plates.includes(id.slice(6))),
  };
  return { ...definition, workflow };
}

async function startedPart(
  { arm }: TwinAndClient,
  document: object,
  body: StartRunBody,
): Promise<RunPath | null> {
  const { workflow } = await arm.createWorkflow({ ...document });
  const started = await arm.startRun({ workflow_id: workflow.id }, body).catch(() => null);
  await arm.deleteWorkflow({ workflow_id: workflow.id });
  return started && { run_id: started.run.id };
}

/** How a run, or two on one workcell, are started. */
export type RunCount = 1 | 2;

/** Plays one run or two; returns what was wrong, and how many events there were. */
export async function disturbedRun(
  stage: TwinAndClient,
  { layout, seed }: { readonly layout: number; readonly seed: number },
  count: RunCount = 1,
): Promise<{ readonly faults: readonly string[]; readonly events: number }> {
  const { arm, twin } = stage;
  const workcell = randomWorkcell(createPrng(layout));
  const random = createPrng(seed);
  const plates = [...workcell.starts.keys()];
  const faultsOf = (own: readonly string[]) =>
    workcell.tasks
      .filter((task) => own.some((plate) => task.startsWith(`${plate}_`)))
      .flatMap((task_id) => (random() < 0.2 ? [{ task_id }] : []));
  const groups = count === 1 ? [plates] : [plates.slice(1), plates.slice(0, 1)];
  const runs: RunPath[] = [];
  const found: string[] = [];
  let workcell_id = 0;
  const startNext = async () => {
    const own = groups[runs.length]!;
    const terms = { priority: Math.floor(10 * random()), due_s: Math.ceil(300 * random()) };
    const body = { faults: faultsOf(own), ...(count > 1 && terms) };
    const run = await startedPart(stage, partOf(workcell, own), body);
    if (run) runs.push(run);
    return run;
  };
  if (!(await startNext())) return { faults: [], events: 0 };
  workcell_id = (await arm.getRun(runs[0]!)).run.workcell_id!;
  for (let i = 0; i < 12; i++) {
    await twin.advance(STEPS_S * random());
    const run = runs[Math.floor(random() * runs.length)]!;
    if (random() < 0.6) await disturb(arm, run, { random, workcell }).catch(ignore);
    if (random() < 0.5) await recover(stage, run, random).catch(ignore);
    if (runs.length < count && i < 6) await startNext();
    const own = groups.slice(0, runs.length).flat();
    found.push(...deckContradictions((await arm.getDeck({ workcell_id })).deck, own));
  }
  await arm.setEmergencyStop({ engaged: false });
  for (const instrument_id of workcell.capacities.keys()) {
    await arm.setInstrument({ instrument_id, is_up: true });
  }
  await twin.advance(1);
  for (const run of runs) await arm.stopRun(run).catch(ignore);
  const monitor = new EventMonitor({
    capacities: workcell.capacities,
    starts: new Map(
      groups.slice(0, runs.length).flatMap((own) => {
        return own.map((plate) => [plate, workcell.starts.get(plate)!] as const);
      }),
    ),
  });
  const lists = [];
  for (const run of runs) lists.push((await arm.listRunEvents(run)).events);
  monitor.takeAll(lists);
  monitor.end((await arm.getDeck({ workcell_id })).deck);
  await clearDecks(arm);
  const faults = [...found, ...monitor.faults].map(
    (fault) => `workcell ${layout}, seed ${seed}: ${fault}`,
  );
  return { faults, events: lists.flat().length };
}
