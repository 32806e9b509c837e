/**
 * Cost of a run of 200 tasks on the control loop: time of the scheduler per tick, at most 1 ms,
 * while every task deviates from its planned duration and replanning is continuous. Clock factor
 * 100 on a quiet machine; without a limit the compiler threads would take processor time from the
 * loop. Runs are equal tick by tick, so the minimum of each tick excludes the machine.
 */
import { connect } from '../contract/client.ts';
import { JointPlan } from '../scheduler/joint/joint-plan.ts';
import { driftingWorkflow } from '../scheduler/scenarios/drifting-workflow.cases.ts';
import { startTwin } from '../server/app/app.ts';
import { TWIN_DEFAULTS } from '../server/cli/config.ts';

const PIECES = 40;
const TOKEN = 'token-of-the-benchmark';
const PACE = { kind: 'scaled', factor: 100 } as const;
const POLL_MS = 500;
const RUNS = 3;
const LIMIT_MS = 1;

function report(name: string, times_ms: readonly number[]): void {
  const sorted = [...times_ms].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2);
  const over = sorted.filter((time_ms) => time_ms > LIMIT_MS).length;
  console.log(
    `${name}: ${sorted.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms; ` +
      `${over} over ${LIMIT_MS} ms`,
  );
}

const twin = await startTwin({ ...TWIN_DEFAULTS, pace: PACE, token: TOKEN, webhooks: 'off' });
const arm = connect({ baseUrl: twin.url, token: TOKEN });
const { workflow } = await arm.createWorkflow(driftingWorkflow(PIECES));
let ticks_ms: number[] = [];
const fire = twin.timers.fire.bind(twin.timers);
twin.timers.fire = (tick) => {
  const due = twin.timers.nextDue_tick() <= tick;
  const began_ms = performance.now();
  fire(tick);
  if (due) ticks_ms.push(performance.now() - began_ms);
};
let plans_ms: number[] = [];
const { startPlanning: begin, step: make } = JointPlan.prototype;
JointPlan.prototype.startPlanning = function timed(tick, asking) {
  const began_ms = performance.now();
  begin.call(this, tick, asking);
  plans_ms.push(performance.now() - began_ms);
};
JointPlan.prototype.step = function timed() {
  const began_ms = performance.now();
  const made = make.call(this);
  plans_ms[plans_ms.length - 1]! += performance.now() - began_ms;
  return made;
};

const minimum_ms: number[] = [];
for (let round = 1; round <= RUNS; round++) {
  ticks_ms = [];
  plans_ms = [];
  const run_id = (await arm.startRun({ workflow_id: workflow.id }, {})).run.id;
  let { run } = await arm.getRun({ run_id });
  while (run.state !== 'stopped') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    ({ run } = await arm.getRun({ run_id }));
  }
  const { events } = await arm.listRunEvents({ run_id });
  console.log(
    `run ${round}: ${run.message} after ${run.now_s} s of twin time, ${events.length} events`,
  );
  report('  ticks with scheduler work', ticks_ms);
  report('  new plans, each over several ticks', plans_ms);
  ticks_ms.forEach((time_ms, i) => {
    minimum_ms[i] = Math.min(time_ms, minimum_ms[i] ?? time_ms);
  });
}
report('minimum of each tick', minimum_ms);
await twin.close();
