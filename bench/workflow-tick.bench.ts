/**
 * What a run of 200 tasks costs the loop: how long each tick's work of the scheduler takes, at most
 * 1 ms, while every task takes another time than planned, so that plans are made anew all the time.
 * The first ticks are the compiler's; they are told apart.
 */
import { connect } from '../contract/client.ts';
import { startTwin } from '../server/app.ts';
import { TWIN_DEFAULTS } from '../server/config.ts';
import { chanceOf } from '../server/workflow/plan/chance.ts';
import { RunPlan } from '../server/workflow/run-plan.ts';

const PIECES = 40;
const STEPS = 4;
const TYPES = 4;
const TOKEN = 'token of the bench';
const TICKS = 1_000_000;
const LIMIT_MS = 1;
const WARM_UP_RENEWALS = 50;

function definition(): Record<string, unknown> {
  const chance = chanceOf(7);
  const names = Array.from({ length: PIECES }, (_, i) => `plate_${i + 1}`);
  const tasks: Record<string, unknown> = {};
  names.forEach((plate, i) => {
    for (let step = 0; step <= STEPS; step++) {
      const isLast = step === STEPS;
      const time_estimate = isLast ? 5 : 10 + Math.floor(60 * chance());
      const source_task = `${plate}_${step - 1}`;
      const destination_slot = isLast ? i + 1 : 1 + Math.floor(2 * chance());
      const taken = { labware_id: plate, destination_slot };
      tasks[`${plate}_${step}`] = {
        instrument: { type: isLast ? 'hotel' : `type_${Math.floor(TYPES * chance())}` },
        action: 'work',
        time_estimate,
        mock_behaviour: { execution_time: Math.round(time_estimate * (0.7 + 0.8 * chance())) },
        labware_sources: {
          [plate]:
            step === 0
              ? { ...taken, type: 'stored_labware' }
              : { ...taken, type: 'labware_source', source_task },
        },
      };
    }
  });
  const instruments = Array.from({ length: 2 * TYPES }, (_, i) => {
    return { id: `instrument_${i}`, type: `type_${i % TYPES}`, capacity: 2 };
  });
  return {
    name: 'two hundred tasks',
    workflow: {
      labware: names.map((id, i) => ({
        id,
        starting_location: { instrument: 'hotel', slot: i + 1 },
      })),
      tasks,
    },
    workcell: {
      instruments: [
        { id: 'hotel', type: 'hotel', capacity: PIECES },
        ...instruments,
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 7 },
    },
  };
}

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
const { workflow } = await arm.createWorkflow(definition());
const { run } = await arm.startRun({ workflow_id: workflow.id }, {});

const ticks_ms: number[] = [];
const renewals_ms: number[] = [];
const fire = twin.timers.fire.bind(twin.timers);
twin.timers.fire = (tick) => {
  const due = twin.timers.nextDue_tick() <= tick;
  const began_ms = performance.now();
  fire(tick);
  if (due) ticks_ms.push(performance.now() - began_ms);
};
const { renew } = RunPlan.prototype;
RunPlan.prototype.renew = function timed(now_s) {
  const began_ms = performance.now();
  const changed = renew.call(this, now_s);
  renewals_ms.push(performance.now() - began_ms);
  return changed;
};
await twin.clock.advance(TICKS);
const { run: shown } = await arm.getRun({ run_id: run.id });
const { events } = await arm.listRunEvents({ run_id: run.id });
report('ticks with work of the scheduler', ticks_ms.slice(ticks_ms.length / 2));
report('new plans, at first', renewals_ms.slice(0, WARM_UP_RENEWALS));
report('new plans, later', renewals_ms.slice(WARM_UP_RENEWALS));
console.log(`${shown.message} after ${shown.now_s} s of the twin, ${events.length} events`);
await twin.close();
