/**
 * Rounds of a long check, each from its number: a test plays all of them, or continues where the
 * last run stopped. Test code.
 *
 *     ARMTWIN_ROUNDS     how many rounds to play
 *     ARMTWIN_FIRST      number of the first round, for a fresh draw
 *     ARMTWIN_SLICE_S    stop after this time (s)
 *     ARMTWIN_PROGRESS   folder with a file for each check; the next run continues there
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Played {
  /** Number of the first round. */
  readonly first: number;
  rounds: number;
  /** Sums of what the rounds counted. */
  readonly counts: { [name: string]: number };
  readonly violations: string[];
}

/** What a round found: violations, and counts of what it did. */
export interface RoundResult {
  readonly violations: readonly string[];
  readonly counts?: { readonly [name: string]: number };
}

function startOf(path: string | null, first: number): Played {
  const known = path !== null && existsSync(path) ? readFileSync(path, 'utf8') : null;
  return known === null ? { first, rounds: 0, counts: {}, violations: [] } : JSON.parse(known);
}

/** Plays rounds until there are as many, the slice ends, or five violations are known. */
export async function playRounds(
  name: string,
  count: number,
  play: (round: number) => Promise<RoundResult>,
): Promise<Played> {
  const { ARMTWIN_ROUNDS, ARMTWIN_FIRST, ARMTWIN_SLICE_S, ARMTWIN_PROGRESS } = process.env;
  const folder = ARMTWIN_PROGRESS ?? null;
  if (folder) mkdirSync(folder, { recursive: true });
  const path = folder && join(folder, `${name}.json`);
  const played = startOf(path, Number(ARMTWIN_FIRST ?? 1));
  const total = Number(ARMTWIN_ROUNDS ?? count);
  const end_ms = performance.now() + 1000 * Number(ARMTWIN_SLICE_S ?? Number.POSITIVE_INFINITY);
  while (played.rounds < total && played.violations.length < 5 && performance.now() < end_ms) {
    const { violations, counts = {} } = await play(played.first + played.rounds);
    played.rounds += 1;
    played.violations.push(...violations);
    for (const [key, value] of Object.entries(counts)) {
      played.counts[key] = (played.counts[key] ?? 0) + value;
    }
    if (path) writeFileSync(path, `${JSON.stringify(played, null, 2)}\n`);
  }
  process.stdout.write(`${name}, ${total} rounds: ${JSON.stringify(played)}\n`);
  return played;
}
