/**
 * What a run of 200 tasks costs the loop: how long each tick's work of the scheduler takes, at most
 * 1 ms, while every task takes another time than planned, so that plans are made anew all the time.
 * In processor time, so that other work of the machine does not count.
 */
import { connect } from '../contract/client.ts';
import { startTwin } from '../server/app.ts';
import { TWIN_DEFAULTS } from '../server/config.ts';
import { driftingWorkflow } from '../server/workflow/drifting.cases.ts';
import { RunPlan } from '../server/workflow/run-plan.ts';

const PIECES = 40;
const TOKEN = 'token of the bench';
const TICKS = 1_000_000;
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

const twin = await startTwin({ ...TWIN_DEFAULTS, token: TOKEN, webhooks: 'off' });
const arm = connect({ baseUrl: twin.url, token: TOKEN });
const { workflow } = await arm.createWorkflow(driftingWorkflow(PIECES));
const { run } = await arm.startRun({ workflow_id: workflow.id }, {});

/** Processor time of this process: other processes do not count. */
function now_ms(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const ticks_ms: number[] = [];
const fire = twin.timers.fire.bind(twin.timers);
twin.timers.fire = (tick) => {
  const due = twin.timers.nextDue_tick() <= tick;
  const began_ms = now_ms();
  fire(tick);
  if (due) ticks_ms.push(now_ms() - began_ms);
};
const plans_ms: number[] = [];
const { begin, make } = RunPlan.prototype;
RunPlan.prototype.begin = function timed(now_s) {
  const began_ms = now_ms();
  begin.call(this, now_s);
  plans_ms.push(now_ms() - began_ms);
};
RunPlan.prototype.make = function timed() {
  const began_ms = now_ms();
  const made = make.call(this);
  plans_ms[plans_ms.length - 1]! += now_ms() - began_ms;
  return made;
};
await twin.clock.advance(TICKS);
const { run: shown } = await arm.getRun({ run_id: run.id });
const { events } = await arm.listRunEvents({ run_id: run.id });
report('ticks with work of the scheduler', ticks_ms);
report('the later half of them', ticks_ms.slice(ticks_ms.length / 2));
report('new plans, each over several ticks', plans_ms);
console.log(`${shown.message} after ${shown.now_s} s of the twin, ${events.length} events`);
await twin.close();
