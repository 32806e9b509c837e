/** A rehearsal of a toolpath on one plant, on this thread or another. */

import { randomBytes } from 'node:crypto';
import { ArmError } from '../../../contract/client.ts';
import type { RecordingDocument } from '../../../contract/export-document.ts';
import { failure, type Result, success } from '../../../contract/result.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import { type Config, type SimulatedDriver, TWIN_DEFAULTS } from '../config.ts';
import { startupErrorText } from '../startup-errors.ts';
import { type Rehearsal, RehearsalStage, type RehearsedTwin } from './rehearsal.ts';
import type { PlantRehearsal, Variation } from './rehearsal-report.ts';
import type { RehearseFlags } from './rehearse-flags.ts';

/** Greatest offset of an object where none is given (mm). */
const SPREAD_MM = 5;
const TOKEN_BYTES = 32;
const SEED_RANGE = 2 ** 32;

/** What is rehearsed on which plant: plain data, which threads can pass on. */
export interface PlantTask {
  readonly driver: SimulatedDriver;
  readonly rehearsal: Rehearsal;
  readonly flags: RehearseFlags;
  /** Name in the reports. */
  readonly title: string;
}

/** Starts the twin of a rehearsal. */
export type StartTwin = (config: Config) => Promise<RehearsedTwin>;

/** A twin in its cell; `seed` draws its imperfections. */
async function openStage(
  { driver, rehearsal, flags: { realism } }: PlantTask,
  seed: number,
  start: StartTwin,
) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  // Nothing else waits for the control loop: to start a planning thread would only take time.
  const config = { ...TWIN_DEFAULTS, plansInline: true };
  const twin = await start({ ...config, driver, realism, noise_seed: seed, token });
  const close = () => twin.close();
  try {
    return { close, stage: await RehearsalStage.open(twin, token, rehearsal) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A rehearsal on a plant, and the recording of the run as described where a page is wanted. */
export interface RecordedRehearsal extends PlantRehearsal {
  readonly recording: RecordingDocument | null;
}

/** What became of a rehearsal on a plant; the error says why it cannot be done. */
export type PlantOutcome = Result<RecordedRehearsal, string>;

/** Rehearses a toolpath on a plant, as described and in its variations. */
export async function rehearseOn(task: PlantTask, start: StartTwin): Promise<PlantOutcome> {
  try {
    return success(await rehearseAll(task, start));
  } catch (error) {
    return failure(reasonOf(error));
  }
}

async function rehearseAll(task: PlantTask, start: StartTwin): Promise<RecordedRehearsal> {
  const { driver, flags, title: name } = task;
  const { realism } = flags;
  // Each plant has the same variations.
  const random = createPrng(flags.seed);
  let now = await openStage(task, flags.seed, start);
  try {
    const { run: report, recording } =
      flags.html === undefined
        ? { run: await now.stage.run(null), recording: null }
        : await now.stage.record();
    const variations: Variation[] = [];
    for (let i = 0; i < flags.variations; i++) {
      const seed = Math.floor(random() * SEED_RANGE);
      // Imperfections are drawn at the start of a twin.
      if (realism !== 'ideal') {
        await now.close();
        now = await openStage(task, seed, start);
      }
      const shift = { spread_mm: flags.spread ?? SPREAD_MM, seed };
      variations.push({ number: i + 1, report: await now.stage.run(shift) });
    }
    return { name, driver, realism, check: now.stage.check, report, variations, recording };
  } finally {
    await now.close();
  }
}

/** Why a file cannot be rehearsed: places with sentences, as `armtwin plan` prints them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ArmError)) return startupErrorText(error);
  const problems = [error.details].flat().flatMap((one) => {
    return one !== null && typeof one === 'object' ? [sentenceOf({ ...one })] : [];
  });
  return problems.length > 0 ? problems.join('; ') : error.message;
}

export function sentenceOf(one: Readonly<Record<string, unknown>>): string {
  const { path = '', problem = one['error'] } = one;
  return `${path} ${problem}`.trim();
}
