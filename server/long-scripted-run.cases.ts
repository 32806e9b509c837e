/**
 * A long scripted run as a process: `long-scripted-run.cases.ts DRIVER PACE TICKS` prints the
 * digest. It runs, pauses, resumes, cancels, stops and sets inputs by tick.
 */
import { planResume } from '../physics/motion/resume.ts';
import { type RunningTwin, startTwin } from './app/app.ts';
import { type DriverName, TWIN_DEFAULTS } from './cli/config.ts';
import { parsePace } from './cli/pace.ts';
import { ADA, thereAndBack } from './robot/robot-harness.cases.ts';

/** Ticks of one cycle of the script. */
const CYCLE_TICKS = 2500;

function resume({ robot, loop }: RunningTwin): void {
  const { pausedMotion: halt } = robot;
  const profile = halt ? planResume({ path: halt.path, s: halt.s, caps: halt.caps }).profile : null;
  loop.apply({ kind: 'resume', caller: ADA, profile });
}

function playAct(twin: RunningTwin, start_tick: number): void {
  const { loop, timers } = twin;
  const at = (tick: number, act: () => void) => timers.at(start_tick + tick, act);
  at(1, () => loop.apply({ kind: 'lock', caller: ADA }));
  at(2, () => loop.apply({ kind: 'load', caller: ADA, toolpath: thereAndBack() }));
  at(3, () => loop.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 }));
  at(173, () => loop.apply({ kind: 'pause', caller: ADA }));
  at(400, () => resume(twin));
  at(611, () => loop.apply({ kind: 'inputs', values: { d2: start_tick % 2 === 0 } }));
  at(907, () => loop.apply({ kind: 'pause', caller: ADA }));
  at(910, () => loop.apply({ kind: 'cancel', caller: ADA }));
  at(1200, () => loop.apply({ kind: 'run', caller: ADA, mode: 'teach', loop: 1 }));
  at(1288, () => loop.apply({ kind: 'estop', engaged: true }));
  at(1500, () => loop.apply({ kind: 'estop', engaged: false }));
  at(1600, () => loop.apply({ kind: 'reset_errors', caller: ADA }));
  at(1700, () => loop.apply({ kind: 'home', caller: ADA }));
}

/** The digest of the script after `ticks` at a pace. */
export async function rehearseLong(driver: DriverName, pace: string, ticks: number) {
  const twin = await startTwin({ ...TWIN_DEFAULTS, driver, pace: { kind: 'stepped' } });
  for (let tick = 0; tick < ticks; tick += CYCLE_TICKS) playAct(twin, tick);
  const reached = new Promise<string>((resolve) => {
    twin.timers.at(ticks, () => resolve(twin.digest.value()));
  });
  if (pace === 'stepped') await twin.clock.advance(ticks + 1);
  else {
    // The script waits for time to pass, even while the arm rests.
    twin.loop.keepAwake();
    twin.clock.setPace(parsePace(pace)!);
  }
  const digest = await reached;
  await twin.close();
  return digest;
}

const [, script, driver, pace, ticks] = process.argv;
if (script?.endsWith('long-scripted-run.cases.ts') && driver && pace) {
  process.stdout.write(await rehearseLong(driver as DriverName, pace, Number(ticks)));
}
