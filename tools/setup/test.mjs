/**
 * `npm test`: everything that must hold before a change is good, on a fresh clone too. Each stage
 * prints one line; a failing one shows all it said. The last line is the sum of all stages.
 */
import { sumOf } from './counts.mjs';
import { ensureInstalled } from './install.mjs';
import { STAGES } from './stages.mjs';

/**
 * @param {string} name
 * @param {import('./stages.mjs').Outcome} outcome
 */
function show(name, { counts, output, seconds }) {
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
  const figures = `${counts.passed} passed, ${counts.failed} failed${skipped}`;
  if (counts.failed > 0) console.log(`\n${output.trimEnd()}\n`);
  const mark = counts.failed === 0 ? 'ok  ' : 'FAIL';
  console.log(`${mark} ${name.padEnd(16)}${seconds.toFixed(1).padStart(7)} s  ${figures}`);
}

/**
 * A stage that breaks is a failed stage; the others still run.
 * @param {import('./stages.mjs').Stage} stage
 */
async function runStage(stage) {
  /** @type {import('./stages.mjs').Outcome} */
  const outcome = await stage.run().catch((error) => ({
    counts: { passed: 0, failed: 1, skipped: 0 },
    output: String(error?.stack ?? error),
    seconds: 0,
  }));
  show(stage.name, outcome);
  return outcome.counts;
}

/** Runs every stage; exit code 1 when anything failed. */
export async function test() {
  if (!(await ensureInstalled())) {
    console.log('0 passed, 1 failed');
    return 1;
  }
  const counts = [];
  for (const group of STAGES) {
    process.stderr.write(`running ${group.map((stage) => stage.name).join(', ')}\n`);
    counts.push(...(await Promise.all(group.map(runStage))));
  }
  const sum = sumOf(counts);
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 ? 0 : 1;
}
