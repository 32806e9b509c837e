/**
 * Inverse kinematics of each arm that comes with the program, in one run: `npm run bench arms --
 * [--rounds N]`. A process has one arm, so each is measured by processes of its own, in turns; the
 * figures are medians over the rounds.
 */
import { spawnSync } from 'node:child_process';
import { ARM_VARIABLE } from '../arms/given-arm.ts';
import { SHIPPED_ARMS } from '../arms/shipped-arms.ts';
import { type Figure, printFigureTable, quantileOf } from './figure-table.ts';
import { branchTimes, nearTimes } from './motion-kinematics.ts';

/** The flag of a process that measures its own arm. */
const OWN = '--own';
const ROUNDS = 3;

const FIGURES = [
  { what: 'inverse, guess within 0.2 rad, p50', goal: 6, measure: nearTimes },
  { what: 'inverse, all branches, p50', goal: 15, measure: branchTimes },
] as const;

function roundsAsked(): number {
  const at = process.argv.indexOf('--rounds');
  return at < 0 ? ROUNDS : Number(process.argv[at + 1]);
}

/** The figures of an arm by a process of its own (µs). */
function measured(arm: string): number[] {
  const args = [...process.execArgv, process.argv[1]!, OWN];
  const env = { ...process.env, [ARM_VARIABLE]: arm };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${arm} was not measured:\n${stderr}`);
  return JSON.parse(stdout);
}

function* armFigures(): Iterable<Figure> {
  const arms = Object.keys(SHIPPED_ARMS);
  const rounds = Array.from({ length: roundsAsked() }, () => arms.map(measured));
  for (const [i, arm] of arms.entries()) {
    for (const [k, { what, goal }] of FIGURES.entries()) {
      const median = quantileOf(
        rounds.map((round) => round[i]![k]!),
        0.5,
      );
      yield { what: `${arm}: ${what}`, measured: median, goal, unit: 'µs' };
    }
  }
}

if (process.argv.includes(OWN)) {
  console.log(JSON.stringify(FIGURES.map(({ measure }) => quantileOf(measure(), 0.5))));
} else process.exitCode = printFigureTable(armFigures()) === 0 ? 0 : 1;
