/**
 * Planning time: a small workcell and 200 tasks, five runs on one workcell planned together, and
 * executions of a plan with scattered durations. A goal that is missed fails the benchmark.
 */
import { createPrng } from '../physics/math/prng.ts';
import { checkDefinition } from '../scheduler/definition/checked-definition.ts';
import { JointPlan } from '../scheduler/joint/joint-plan.ts';
import type { PlannedRun } from '../scheduler/joint/planned-run.ts';
import { WORK_PER_TICK } from '../scheduler/joint/replanning.ts';
import { plan } from '../scheduler/plan/planner.ts';
import { randomProblem } from '../scheduler/plan/problems.cases.ts';
import { planRobustness } from '../scheduler/plan/robustness.ts';
import { PreparedMoves } from '../scheduler/run/prepared-moves.ts';
import { RunProgress } from '../scheduler/run/progress.ts';
import { RunPlan } from '../scheduler/run/run-plan.ts';
import { driftingWorkflow } from '../scheduler/scenarios/drifting-workflow.cases.ts';
import { systemClock } from '../server/clock/wall-clock.ts';
import { type Figure, printFigureTable, quantileOf } from './figure-table.ts';

const ROUNDS = 15;
const RUNS = 5;
const PLATES_PER_RUN = 12;
const TASKS_PER_RUN = 60;
const EXECUTIONS = 1000;

/** Plans random workcells; the median and the longest time (ms). */
function planning(pieces: number, steps: number) {
  const times_ms: number[] = [];
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const shape = { pieces, steps, instruments: 8, slots: 2, choice: true };
    const problem = randomProblem(createPrng(seed), shape);
    const before_ms = performance.now();
    const found = plan(problem, { seed });
    times_ms.push(performance.now() - before_ms);
    if (!found.ok) throw new Error(found.error.messages.join('; '));
  }
  return { median_ms: quantileOf(times_ms, 0.5), worst_ms: Math.max(...times_ms) };
}

/** No plate of these runs is moved by an arm. */
const NO_ARM = { load: () => Promise.reject(new Error('a run without an arm loads nothing')) };

/** A run of a group of plates that is about to start. */
async function startingRun(group: number): Promise<PlannedRun> {
  const { model } = checkDefinition(driftingWorkflow(PLATES_PER_RUN, { group, groups: RUNS }));
  if (model?.tasks.length !== TASKS_PER_RUN) throw new Error('not the wanted number of tasks');
  const moves = await PreparedMoves.prepare(model, { arm: NO_ARM, wall: systemClock });
  const schedule = { priority: group, start_after_s: 0, due_s: Number.POSITIVE_INFINITY };
  const limits = { violations: [], isBroken: () => false };
  const state = { plan: null, isActive: true, start_tick: 0, limits };
  return { model, moves, schedule, progress: new RunProgress(model), ...state };
}

/** The start of each run beside the others, and a plan of all five while they run (ms). */
async function jointPlanning() {
  const runs: PlannedRun[] = [];
  const world = {
    runs,
    statics: new Map(),
    version: 0,
    begun_tick: 0,
    clockAt_s: () => 0,
    downSince: () => null,
  };
  const joint = new JointPlan(world, 1);
  let start_ms = 0;
  for (let group = 0; group < RUNS; group++) {
    const starting = await startingRun(group);
    const before_ms = performance.now();
    const found = await joint.planWith(starting, { tick: 0, seed: 1, wall: systemClock });
    start_ms = performance.now() - before_ms;
    if (!found.ok) throw new Error(found.error.messages.join('; '));
    const all = [...runs, starting];
    const plans = all.map(({ progress }, i) => new RunPlan(progress, found.value.plans[i]!));
    runs.splice(0, runs.length, ...all.map((run, i) => ({ ...run, plan: plans[i]! })));
  }
  // Plans are equal step by step, so the minimum of each tick excludes the machine.
  const ticks_ms: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Something has changed that no kept problem knows of.
    world.version += 1;
    let before_ms = performance.now();
    joint.startPlanning(0);
    for (let tick = 0; joint.isPlanning; tick++) {
      for (let work = 0; joint.isPlanning && work < WORK_PER_TICK; ) work += joint.step().work;
      const now_ms = performance.now();
      ticks_ms[tick] = Math.min(ticks_ms[tick] ?? Number.POSITIVE_INFINITY, now_ms - before_ms);
      before_ms = now_ms;
    }
  }
  const replan_ms = ticks_ms.reduce((sum, one) => sum + one, 0);
  return { start_ms, replan_ms, first_ms: ticks_ms[0]!, tick_ms: Math.max(...ticks_ms.slice(1)) };
}

/** The executions of a plan of 200 tasks (ms). */
function executions_ms(): number {
  const shape = { pieces: 40, steps: 5, instruments: 8, slots: 2, choice: true };
  const problem = randomProblem(createPrng(1), shape);
  const found = plan(problem, { seed: 1 });
  if (!found.ok) throw new Error(found.error.messages.join('; '));
  const constraints = problem.labware.map(({ id, tasks }) => {
    const ends = { from: tasks[0]!, from_end: false, to: tasks.at(-1)!, to_end: true };
    return { id, ...ends, min_s: 0, max_s: 600 };
  });
  const options = { seed: 1, executions: EXECUTIONS, scatter: 0.2, constraints };
  const before_ms = performance.now();
  const steps = planRobustness(problem, found.value, options);
  while (!steps.next().done);
  return performance.now() - before_ms;
}

const small = planning(3, 3);
const large = planning(40, 5);
const joint = await jointPlanning();
const figures: Figure[] = [
  { what: '9 tasks, median', measured: small.median_ms, goal: 50, unit: 'ms' },
  { what: '200 tasks, median', measured: large.median_ms, goal: 20, unit: 'ms' },
  { what: '200 tasks, longest', measured: large.worst_ms, goal: 50, unit: 'ms' },
  { what: 'start of the fifth run of 60 tasks', measured: joint.start_ms, goal: 200, unit: 'ms' },
  { what: 'new plan of five runs of 60 tasks', measured: joint.replan_ms, goal: 200, unit: 'ms' },
  { what: 'first tick of that plan', measured: joint.first_ms, goal: 1, unit: 'ms' },
  { what: 'longest of its other ticks', measured: joint.tick_ms, goal: 1, unit: 'ms' },
  { what: '1,000 executions of 200 tasks', measured: executions_ms(), goal: 5000, unit: 'ms' },
];
process.exitCode = printFigureTable(figures) > 0 ? 1 : 0;
