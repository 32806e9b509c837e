/**
 * Random runs on random workcells with faults and an impatient operator, and what must hold for
 * the events and the deck of each: nothing overlaps, nothing stays open, both agree.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { StartRunBody } from '../../contract/types.generated.ts';
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import type { TwinAndClient } from '../../server/service/simulation/twin-client.cases.ts';
import { clearDecks } from './assay.cases.ts';
import { deckContradictions, EventMonitor } from './event-monitor.cases.ts';
import {
  armWorkcell,
  partOf,
  type RandomWorkcell,
  randomWorkcell,
} from './random-workcell.cases.ts';
import { TickMonitor } from './tick-monitor.cases.ts';

const STEPS_S = 9;

type RunPath = { readonly run_id: number };

const ignore = () => {};

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
  await arm.resetErrors().catch(ignore);
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

/** Longest work that is left, in steps of the search for the end (s). */
const END_STEPS = 25;
const END_STEP_S = 60;

/** Helps runs to their end; returns what keeps those that do not come to it. */
async function playToEnd(stage: TwinAndClient, runs: readonly RunPath[], random: Prng) {
  const { arm, twin } = stage;
  for (let step = 0; step < END_STEPS; step++) {
    let isOver = true;
    for (const run of runs) {
      const { state, schedule } = (await arm.getRun(run)).run;
      if (state === 'stopped') continue;
      isOver = false;
      for (const labware_id of schedule?.held_labware ?? []) {
        await arm.releaseLabware(run, { labware_id });
      }
      await recover(stage, run, random).catch(ignore);
    }
    if (isOver) return [];
    await twin.advance(END_STEP_S);
  }
  const stuck: string[] = [];
  let isBlocked = false;
  for (const path of runs) {
    const { run } = await arm.getRun(path);
    // A piece that was given up, or that a stopped run has left, may be in the way for ever.
    if (run.tasks.some(({ state }) => state === 'aborted')) isBlocked = true;
    if (run.state === 'stopped' && !run.message.startsWith('completed')) isBlocked = true;
    const reasons = run.waiting.flatMap((one) => one.reasons).join(', ');
    if (run.state !== 'stopped') stuck.push(`does not end: ${run.state}, ${reasons}`);
  }
  return isBlocked ? [] : stuck;
}

/** Starts the parts of a workcell's plates one after the other. */
class Starts {
  readonly runs: RunPath[] = [];
  private readonly groups: readonly (readonly string[])[];
  private readonly stage: TwinAndClient;
  private readonly workcell: RandomWorkcell;
  private readonly random: Prng;

  constructor(stage: TwinAndClient, workcell: RandomWorkcell, on: [count: RunCount, random: Prng]) {
    const plates = [...workcell.starts.keys()];
    this.groups = on[0] === 1 ? [plates] : [plates.slice(1), plates.slice(0, 1)];
    [this.stage, this.workcell, this.random] = [stage, workcell, on[1]];
  }

  async next(): Promise<boolean> {
    const { random, workcell, groups, runs } = this;
    const own = groups[runs.length];
    if (!own) return true;
    const faults = workcell.tasks
      .filter((task) => own.includes(workcell.plateOf(task)))
      .flatMap((task_id) => (random() < 0.2 ? [{ task_id }] : []));
    const terms = { priority: Math.floor(10 * random()), due_s: Math.ceil(300 * random()) };
    const body = { faults, ...(groups.length > 1 && terms) };
    const run = await startedPart(this.stage, partOf(workcell, own), body);
    if (run) runs.push(run);
    return run !== null;
  }

  /** The plates of the runs that have started. */
  get plates(): string[] {
    return this.groups.slice(0, this.runs.length).flat();
  }

  async monitored(workcell_id: number) {
    const { arm } = this.stage;
    const { capacities, starts } = this.workcell;
    const places = this.plates.map((plate) => [plate, starts.get(plate)!] as const);
    const monitor = new EventMonitor({ capacities, starts: new Map(places) });
    const lists = [];
    for (const run of this.runs) lists.push((await arm.listRunEvents(run)).events);
    monitor.takeAll(lists);
    monitor.end((await arm.getDeck({ workcell_id })).deck);
    return { faults: monitor.faults, events: lists.flat().length };
  }
}

/** Whether the gripper is closed exactly while it holds something. */
function gripperFaults({ twin }: TwinAndClient, gripper: string | null): string[] {
  if (gripper === null) return [];
  const outputs = twin.snapshot()['global.outputs'] as { readonly ee_d0?: boolean };
  return outputs.ee_d0 !== true ? [`the gripper is open on ${gripper}`] : [];
}

/** What is played: a random workcell by number, or the one of the arm. */
export interface DisturbedPlay {
  readonly layout: number | 'arm';
  readonly seed: number;
}

/** What a play has found, and how much of it there was. */
export interface DisturbedRun {
  readonly faults: readonly string[];
  readonly events: number;
  /** Ticks at which the state was judged. */
  readonly ticks: number;
}

/** Plays one run or two, judged at every tick. */
export async function disturbedRun(
  stage: TwinAndClient,
  play: DisturbedPlay,
  count: RunCount = 1,
): Promise<DisturbedRun> {
  const monitor = new TickMonitor();
  if (play.layout === 'arm') monitor.onTick = (gripped) => gripperFaults(stage, gripped);
  try {
    const { faults, events } = await playedRun(stage, play, count);
    const { layout, seed } = play;
    const own = monitor.faults.map((text) => `workcell ${layout}, seed ${seed}: ${text}`);
    return { faults: [...faults, ...own], events, ticks: monitor.ticks };
  } finally {
    monitor.close();
  }
}

async function playedRun(
  stage: TwinAndClient,
  { layout, seed }: DisturbedPlay,
  count: RunCount,
): Promise<Omit<DisturbedRun, 'ticks'>> {
  const { arm, twin } = stage;
  const isArm = layout === 'arm';
  const workcell = isArm ? armWorkcell() : randomWorkcell(createPrng(layout));
  const random = createPrng(seed);
  const starts = new Starts(stage, workcell, [count, random]);
  const { runs } = starts;
  const found: string[] = [];
  if (!(await starts.next())) return { faults: [], events: 0 };
  const workcell_id = (await arm.getRun(runs[0]!)).run.workcell_id!;
  for (let i = 0; i < 12; i++) {
    await twin.advance(STEPS_S * random());
    const run = runs[Math.floor(random() * runs.length)]!;
    if (random() < 0.6) await disturb(arm, run, { random, workcell }).catch(ignore);
    if (random() < 0.5) await recover(stage, run, random).catch(ignore);
    if (i < 6) await starts.next();
    const { deck } = await arm.getDeck({ workcell_id });
    found.push(...deckContradictions(deck, starts.plates));
    if (isArm) found.push(...gripperFaults(stage, deck.gripper));
  }
  await arm.setEmergencyStop({ engaged: false });
  for (const instrument_id of workcell.capacities.keys()) {
    await arm.setInstrument({ instrument_id, is_up: true });
  }
  await twin.advance(1);
  if (random() < 0.5) found.push(...(await playToEnd(stage, runs, random)));
  for (const run of runs) await arm.stopRun(run).catch(ignore);
  const { faults, events } = await starts.monitored(workcell_id);
  await clearDecks(arm);
  const all = [...found, ...faults].map((text) => `workcell ${layout}, seed ${seed}: ${text}`);
  return { faults: all, events };
}
