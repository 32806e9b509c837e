/**
 * How close `armtwin fit` brings the twin to arms with hidden parameters that are not the twin.
 * `-- --arms N --seed S` draws others; the last line counts those that missed a goal.
 */
import { judgeFit, missesGoal } from './fit-judge.ts';

function flag(name: string, other: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? other : Number(process.argv[at + 1]);
}

const arms = flag('arms', 10);
const seed = flag('seed', 1);
let missed = 0;
for (let i = 0; i < arms; i++) {
  const one = await judgeFit(seed + 7919 * i);
  const isMissed = missesGoal(one);
  if (isMissed) missed++;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const load = one.load === null ? 'not identifiable' : `${(1000 * one.load).toFixed(0)} g`;
  const delay = one.latency_s === null ? 'none' : `${(1000 * one.latency_s).toFixed(1)} ms`;
  console.log(
    `${one.law.padEnd(10)} fitted as ${one.fitted.padEnd(10)} ` +
      `durations p95 ${percent(one.before)} -> ` +
      `${percent(one.after)}; friction ${percent(one.friction)} (${one.frictionGaps} gaps); ` +
      `load ${load}; latency ${delay}${isMissed ? '  MISSED' : ''}`,
  );
}
console.log(`${arms} arms, seed ${seed}: ${missed} missed a goal`);
process.exitCode = missed === 0 ? 0 : 1;
