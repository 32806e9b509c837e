import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import type { ParsedRecording } from '../recording/recording-format.ts';
import { isOfOtherPhysics, type ReplayTarget, replayRecording } from '../recording/replay.ts';
import type { Robot } from '../robot/robot.ts';
import type { Capture } from './capture.ts';
import { Samples } from './samples.ts';

/** Replays a recording and keeps the feedback of each tick. */
export async function replayCapture(
  source: string,
  recording: ParsedRecording,
  target: ReplayTarget,
): Promise<Capture> {
  const samples = new Samples();
  const states: { t_s: number; state: string }[] = [];
  const listener = (robot: Robot) => ({
    onTick({ position_rad, velocity_rad_s, torque_n_m }: Feedback, tick: number) {
      const t_s = tick * TICK_S;
      samples.add(t_s, { q: position_rad, rates: velocity_rad_s, torque: torque_n_m });
      const { state } = robot.memory;
      if (states.at(-1)?.state !== state) states.push({ t_s: t_s - TICK_S, state });
    },
    onEvents: () => {},
  });
  const { divergence } = await replayRecording(recording, target, (robot) => [listener(robot)]);
  const notes = divergence ? [`the replay differs from tick ${divergence.tick} on`] : [];
  if (isOfOtherPhysics(recording.header)) notes.push('the recording is of other physics');
  return { source, kind: 'recording', robot: null, ...samples.columns(), states, notes };
}
