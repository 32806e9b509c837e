/**
 * What a run of 200 tasks costs the loop: how long each tick's work of the scheduler takes, at most
 * 1 ms, while every task takes another time than planned, so that plans are made anew all the time.
 * Wall time on a clock of 100 times real time, for a quiet machine: flat out, the compiler's own
 * threads take the cores from the loop. Runs are equal tick by tick, so the least of each leaves
 * out what the machine adds.
 */
import { connect } from '../contract/client.ts';
import { startTwin } from '../server/app.ts';
import { TWIN_DEFAULTS } from '../server/config.ts';
import { driftingWorkflow } from '../server/workflow/drifting.cases.ts';
import { RunPlan } from '../server/workflow/run-plan.ts';

const PIECES = 40;
const TOKEN = 'token-of-the-bench';
const PACE = { kind: 'scaled', factor: 100 } as const;
const LOOK_MS = 500;
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
const { begin, make } = RunPlan.prototype;
RunPlan.prototype.begin = function timed(now_s) {
  const began_ms = performance.now();
  begin.call(this, now_s);
  plans_ms.push(performance.now() - began_ms);
};
RunPlan.prototype.make = function timed() {
  const began_ms = performance.now();
  const made = make.call(this);
  plans_ms[plans_ms.length - 1]! += performance.now() - began_ms;
  return made;
};

const least_ms: number[] = [];
for (let round = 1; round <= RUNS; round++) {
  ticks_ms = [];
  plans_ms = [];
  const run_id = (await arm.startRun({ workflow_id: workflow.id }, {})).run.id;
  let { run } = await arm.getRun({ run_id });
  while (run.state !== 'stopped') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    ({ run } = await arm.getRun({ run_id }));
  }
  const { events } = await arm.listRunEvents({ run_id });
  console.log(
    `run ${round}: ${run.message} after ${run.now_s} s of the twin, ${events.length} events`,
  );
  report('  ticks with work of the scheduler', ticks_ms);
  report('  new plans, each over several ticks', plans_ms);
  ticks_ms.forEach((time_ms, i) => {
    least_ms[i] = Math.min(time_ms, least_ms[i] ?? time_ms);
  });
}
report('least of each tick', least_ms);
await twin.close();
