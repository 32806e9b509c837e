/**
 * Three assays whose instruments take up to a tenth less or a fifth more than planned: how many limits
 * of time are held, where a plan that knew the durations could hold all of them.
 */

import { expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import { sharedTwinClient } from '../../server/service/simulation/twin-client.cases.ts';
import { startedRun } from './assay.cases.ts';
import { type DaySteps, labDay } from './lab-day.cases.ts';

interface Assay {
  readonly plates: number;
  readonly steps: readonly (readonly [instrument: string, time_s: number])[];
  /** From the end of a step to the start of another, of each plate (s). */
  readonly limits: readonly (readonly [from: string, to: string, max_s: number])[];
  readonly instruments: Readonly<Record<string, object>>;
}

const ASSAYS: Readonly<Record<string, Assay>> = {
  ELISA: {
    plates: 4,
    steps: [
      ['washer', 90],
      ['incubator', 900],
      ['shaker', 120],
      ['reader', 60],
    ],
    limits: [
      ['washer', 'incubator', 60],
      ['incubator', 'shaker', 180],
      ['shaker', 'reader', 120],
    ],
    instruments: { incubator: { slots: 4, max_tasks: 4 } },
  },
  'PCR set-up': {
    plates: 4,
    steps: [
      ['shaker', 60],
      ['sealer', 20],
      ['centrifuge', 120],
      ['incubator', 600],
    ],
    limits: [
      ['shaker', 'sealer', 120],
      ['centrifuge', 'incubator', 900],
    ],
    instruments: {
      centrifuge: { slots: 4, max_tasks: 1, closed_while_running: true },
      incubator: { closed_while_running: true },
    },
  },
  'feeding schedule': {
    plates: 6,
    steps: [
      ['washer', 80],
      ['shaker', 40],
      ['incubator', 300],
    ],
    limits: [
      ['washer', 'shaker', 30],
      ['shaker', 'incubator', 60],
    ],
    instruments: { incubator: { slots: 6, max_tasks: 6 } },
  },
};

const SEEDS = 50;
/** A duration is this share of its estimate at least, and at most. */
const [LEAST, MOST] = [0.9, 1.2];
const STEP_S = 500;

/** The definition, with what the instruments take: by the plan, or only in fact. */
function definitionOf(
  { plates, steps, limits, instruments }: Assay,
  { random, isKnown }: { readonly random: Prng; readonly isKnown: boolean },
): Record<string, unknown> {
  const names = Array.from({ length: plates }, (_, i) => `p${i + 1}`);
  const day: DaySteps = Object.fromEntries(
    names.map((name) => {
      const own = steps.map(([instrument, time_s]) => {
        const taken_s = Math.round(time_s * (LEAST + (MOST - LEAST) * random()));
        const slot = instruments[instrument] ? 'any' : 1;
        const rest = { slot, execution_time: taken_s } as const;
        return [instrument, isKnown ? taken_s : time_s, rest] as const;
      });
      return [name, own];
    }),
  );
  const time_constraints = names.flatMap((name) =>
    limits.map(([from, to, max_duration]) => {
      const ends = { start_task_id: `${name}_${from}`, end_task_id: `${name}_${to}` };
      return { id: `${name} ${from} ${to}`, type: 'end_to_start', ...ends, max_duration };
    }),
  );
  return labDay(day, { instruments, workflow: { time_constraints } });
}

/** Whether a plan that knows the durations holds all limits. */
async function canHold(arm: ArmClient, assay: Assay, seed: number): Promise<boolean> {
  const definition = definitionOf(assay, { random: createPrng(seed), isKnown: true });
  const { is_valid } = await arm.validateWorkflow(definition, { plan: 1 });
  return is_valid;
}

const stage = sharedTwinClient({ webhooks: 'off' });

it.each(Object.keys(ASSAYS))(
  'holds nearly all limits of an assay: %s',
  async (name) => {
    const { twin, arm } = stage;
    const assay = ASSAYS[name]!;
    let [wanted, held, without] = [0, 0, 0];
    for (let seed = 1; seed <= SEEDS; seed++) {
      if (!(await canHold(arm, assay, seed))) {
        without++;
        continue;
      }
      const definition = definitionOf(assay, { random: createPrng(seed), isKnown: false });
      const run = await startedRun(arm, definition, { simulate_drivers: true });
      const details = async () => (await arm.getRun(run)).run;
      while ((await details()).state !== 'stopped') await twin.advance(STEP_S);
      const { violations, message, limits } = await details();
      expect(message, `seed ${seed}`).toMatch(/^completed/);
      expect(limits).toEqual([]);
      wanted += assay.plates * assay.limits.length;
      held += assay.plates * assay.limits.length - violations.length;
    }
    const share = held / wanted;
    process.stdout.write(
      `${name}: ${held} of ${wanted} limits held (${(100 * share).toFixed(1)} %), ` +
        `${without} of ${SEEDS} seeds without a plan\n`,
    );
    expect(wanted).toBeGreaterThan(0);
    expect(share).toBeGreaterThanOrEqual(0.95);
  },
  3_600_000,
);
