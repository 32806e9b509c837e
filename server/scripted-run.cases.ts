/** A short script for a twin: the same commands at the same twin times, at any pace. */
import { planJointMove } from '../physics/motion/joint-move.ts';
import { createTwin, type Twin, type TwinOptions } from './index.ts';
import { ADA, HOME, thereAndBack } from './robot/robot-harness.cases.ts';

/** Runs `use` with a twin and closes it afterwards. */
export async function runWithTwin<Value>(
  options: TwinOptions,
  use: (twin: Twin) => Promise<Value>,
): Promise<Value> {
  const twin = await createTwin(options);
  try {
    return await use(twin);
  } finally {
    await twin.close();
  }
}

/** Moves home, runs in a loop, then an emergency stop and its release, in 12 s. */
export function rehearse(twin: Twin): void {
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const start = new Float64Array(6);
  const { path, profile } = planJointMove({
    start,
    end: Float64Array.from(HOME),
    caps,
    waypoints: [],
  });
  const motion = { start, path, profile, caps };
  twin.at(0.1, () => twin.apply({ kind: 'lock', caller: ADA }));
  twin.at(0.2, () => twin.apply({ kind: 'go_to', caller: ADA, mode: 'automatic', motion }));
  twin.at(8, () => twin.apply({ kind: 'load', caller: ADA, toolpath: thereAndBack() }));
  twin.at(8.1, () => twin.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 }));
  twin.at(9.3, () => twin.apply({ kind: 'estop', engaged: true }));
  twin.at(10.7, () => twin.apply({ kind: 'estop', engaged: false }));
}

/** The digest of the script at twin time `end_s`, at any pace. */
export function digestAfter(options: TwinOptions, end_s: number): Promise<string> {
  return runWithTwin(options, async (twin) => {
    rehearse(twin);
    const reached = new Promise<string>((resolve) => {
      twin.at(end_s, () => resolve(twin.digest()));
    });
    if (options.clock === undefined) await twin.advance(end_s + 1);
    return reached;
  });
}
