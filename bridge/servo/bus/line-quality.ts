/** How many answers a line loses and spoils, measured over a few hundred. */

import type { Bus, Transaction } from './bus.ts';

/** Answers that are asked for: so many that a share of one in fifty shows. */
const ANSWERS = 600;
/** Shares of bad answers: above the first a line is told, above the second no arm gets torque. */
const TOLD_SHARE = 0.008;
const REFUSED_SHARE = 0.1;

export interface LineQuality {
  readonly asked: number;
  /** Answers that did not come, and those that came garbled. */
  readonly lost: number;
  readonly garbled: number;
}

/** Asks the servos of `sample` for it, again and again; moves and changes nothing. */
export async function measureLine(bus: Bus, sample: Transaction): Promise<LineQuality> {
  const { ids } = sample;
  let [asked, lost, garbled] = [0, 0, 0];
  for (let i = 0; i * ids.length < ANSWERS; i++) {
    const before = bus.spoiled;
    const replies = await bus.request({ ...sample, prepended: [] });
    // All of them miss where this computer stalled, or one question was lost.
    const missing = replies.length === 0 ? 1 : ids.length - replies.length;
    asked += replies.length + missing;
    if (bus.spoiled > before) garbled += missing;
    else lost += missing;
  }
  return { asked, lost, garbled };
}

/** What is wrong with a line of this quality and name, as a sentence; null: nothing. */
export function lineQualityProblem(
  { asked, lost, garbled }: LineQuality,
  line: string,
): string | null {
  if (lost + garbled <= TOLD_SHARE * asked) return null;
  const percent = (count: number) => `${((100 * count) / asked).toFixed(1)} %`;
  const told = `${percent(lost)} of ${asked} answers are lost and ${percent(garbled)} garbled on ${line}`;
  const advice =
    garbled > lost
      ? 'check ground, termination and length of its cable, and that no two servos have one id'
      : 'check its connectors, its adapter and gateway, and the baud';
  return `${told}: ${advice}`;
}

/** The quality of a line in one sentence. */
export function lineQualityText({ asked, lost, garbled }: LineQuality): string {
  return `Of ${asked} answers ${lost} were lost and ${garbled} garbled`;
}

/** Whether a line of this quality may drive an arm. */
export function isLineTooBad({ asked, lost, garbled }: LineQuality): boolean {
  return lost + garbled > REFUSED_SHARE * asked;
}
