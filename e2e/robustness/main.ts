/**
 * `npm run check robustness`: runs faults, load and attacks against the built program, each with a
 * measurement. Names select checks; `--quick` selects those of `npm test`, `--ci` those of
 * `npm test -- --all`; `--json FILE` saves the results.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { IS_CI, IS_TIMED, type RobustnessCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { killTwinProcesses } from './twin-process.ts';

interface Result {
  readonly id: string;
  readonly fault: string;
  readonly goal: string;
  readonly holds: boolean;
  readonly figure: string;
  readonly seconds: number;
}

async function run({ id, fault, goal, run: attempt }: RobustnessCheck): Promise<Result> {
  const start_ms = performance.now();
  const outcome = await attempt().catch((error: unknown) => ({
    holds: false,
    figure: `the check failed: ${String(error).slice(0, 300)}`,
  }));
  killTwinProcesses();
  const seconds = (performance.now() - start_ms) / 1000;
  const word = outcome.holds ? 'ok  ' : 'FAIL';
  console.log(`${word} ${id} (${seconds.toFixed(1)} s): ${outcome.figure}`);
  return { id, fault, goal, seconds, ...outcome };
}

function saveResults(path: string, results: readonly Result[]): void {
  let known: Result[] = [];
  try {
    known = JSON.parse(readFileSync(path, 'utf8')) as Result[];
  } catch {
    // The file does not exist yet.
  }
  const latest = new Map([...known, ...results].map((one) => [one.id, one]));
  const all = CHECKS.flatMap(({ id }) => latest.get(id) ?? []);
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
}

async function main(flags: string[]): Promise<number> {
  const at = flags.indexOf('--json');
  const path = at < 0 ? null : flags.splice(at, 2)[1];
  const names = flags.filter((flag) => !flag.startsWith('--'));
  const unknown = names.filter((name) => !CHECKS.some(({ id }) => id === name));
  if (unknown.length > 0) {
    console.error(
      `Unknown check ${unknown.join(', ')}; choose from ${CHECKS.map(({ id }) => id).join(', ')}`,
    );
    return 2;
  }
  const isChosen = (check: RobustnessCheck) => {
    if (names.length > 0) return names.includes(check.id);
    return IS_TIMED || check.in === 'npm test' || (IS_CI && check.in !== null);
  };
  const chosen = CHECKS.filter(isChosen);
  const results = [];
  for (const check of chosen) results.push(await run(check));
  if (path) saveResults(path, results);
  const failed = results.filter(({ holds }) => !holds).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
