/**
 * `npm test`: runs all checks of a change, also in a bare clone. Each stage prints one line, and
 * its output when it fails. The last lines name what failed and give the sum of all stages. `--all`
 * adds the tests that take long, as CI does.
 */

import { ensureInstalled } from './install.mjs';
import { stages } from './stages.mjs';
import { failuresIn, sumOf } from './test-counts.mjs';

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
 * Runs a stage. A stage that throws counts as failed; the others still run.
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
  const { counts, output } = outcome;
  const named = counts.failed === 0 ? [] : failuresIn(output);
  return { counts, failures: named.map((line) => `${stage.name}: ${line}`) };
}

/**
 * Runs stages in sequence.
 * @param {import('./stages.mjs').Stage[]} lane
 */
async function runLane(lane) {
  const outcomes = [];
  for (const stage of lane) {
    process.stderr.write(`running ${stage.name}\n`);
    outcomes.push(await runStage(stage));
  }
  return outcomes;
}

/**
 * Runs every stage; exit code 1 when anything failed, 2 for an unknown flag.
 * @param {string[]} flags
 */
export async function test(flags) {
  const unknown = flags.find((flag) => flag !== '--all');
  if (unknown !== undefined) {
    console.error(`npm test knows --all and not '${unknown}'; npm run unit takes names of tests`);
    return 2;
  }
  if (!(await ensureInstalled())) {
    console.log('0 passed, 1 failed');
    return 1;
  }
  const outcomes = [];
  for (const group of stages(flags.includes('--all'))) {
    outcomes.push(...(await Promise.all(group.map(runLane))).flat());
  }
  const sum = sumOf(outcomes.map(({ counts }) => counts));
  for (const line of outcomes.flatMap(({ failures }) => failures)) console.log(line);
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 ? 0 : 1;
}
