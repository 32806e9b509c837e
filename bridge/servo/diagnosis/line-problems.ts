/** What a diagnosis finds wrong with the line of the servos, as sentences. */

import { type BusClock, delay } from '../../transport/bus-clock.ts';
import type { Bus, Transaction } from '../bus/bus.ts';
import { lineQualityProblem, lineQualityText, measureLine } from '../bus/line-quality.ts';
import type { ServoDiagnosis } from './servo-diagnosis.ts';

/** Slower replies make a cycle of 8 ms impossible (ms). */
const LATENCY_MAX_MS = 4;
/** Pings of which the quickest counts. */
const LATENCY_PINGS = 5;
/** Time to listen for another program (ms). */
const LISTEN_MS = 200;

const ONE_MASTER = 'stop the other program, or connect one master only';
/** Packets arrive that this program has not asked for. */
const OTHER_SENDER = `Another program sends on this line: ${ONE_MASTER}`;
export const CORRUPT_REPLIES =
  'Replies are corrupt: two servos with one id, a wrong baud or bad wiring; connect one at a time';

/** Why no servo answers on a bus; `others` are the families that they may be of instead. */
export function noServoProblem({ name, problem }: Bus, others: string | undefined): string {
  const family = others ? `, and the family: ${others}` : '';
  return problem ?? `No servo answers on ${name}: check supply, cable, baud and adapter${family}`;
}

/** How many answers a line loses and spoils, and whether that is a problem. */
export async function checkLineQuality(
  bus: Bus,
  sample: Transaction,
): Promise<Pick<ServoDiagnosis, 'problems' | 'figures'>> {
  await bus.settle();
  const quality = await measureLine(bus, sample);
  const problem = lineQualityProblem(quality, bus.name);
  return { problems: problem === null ? [] : [problem], figures: [lineQualityText(quality)] };
}

/** The shortest of a few reply times (ms); longer ones may be due to this machine. */
export async function measureLatency(
  clock: BusClock,
  ping: () => Promise<unknown>,
): Promise<number> {
  let quickest_ms = Number.POSITIVE_INFINITY;
  for (let i = 0; i < LATENCY_PINGS; i++) {
    const start_ms = clock.now_ms();
    await ping();
    quickest_ms = Math.min(quickest_ms, clock.now_ms() - start_ms);
  }
  return quickest_ms;
}

/** What is wrong with the latency of a servo, if anything. */
export function latencyProblems(id: number, latency_ms: number): readonly string[] {
  if (latency_ms <= LATENCY_MAX_MS) return [];
  const advice = 'lower the latency timer of a USB adapter, or raise the baud';
  return [`Servo ${id} answers after ${latency_ms.toFixed(1)} ms: ${advice}`];
}

/**
 * Listens for another program: packets that nobody asked for, and servos that have other goals than
 * `goals` (steps, by id) after a while, as a sentence; null: none. `readGoal` gives the goal of a
 * servo, null without a reply.
 */
export async function findOtherMaster(
  { clock, bus }: { readonly clock: BusClock; readonly bus: Bus },
  goals: ReadonlyMap<number, number>,
  readGoal: (id: number) => Promise<number | null>,
): Promise<string | null> {
  await bus.settle();
  const heard = () => bus.counts.unexpected + bus.spoiled;
  const before = heard();
  await delay(clock, LISTEN_MS);
  const talks = heard() > before;
  const moved: number[] = [];
  for (const [id, goal] of goals) {
    const now = await readGoal(id);
    if (now !== null && now !== goal) moved.push(id);
  }
  if (moved.length > 0) return `Another program moves servo ${moved.join(', ')}: ${ONE_MASTER}`;
  return talks ? OTHER_SENDER : null;
}
