/**
 * The way of the arm out of a station, and home. Before any other motion an arm in a station goes
 * straight to its approach pose. Only where the arm stands counts, so that the rule also holds
 * after a stop, an error, a restart of the run and a restored snapshot.
 */

import type { TransportConfig } from '../../contract/types.ts';
import { speedCap_m_s } from '../../physics/toolpath/go-to.ts';
import { planTasks } from '../../server/planning/plan-tasks.ts';
import type { PlannedMotion } from '../../server/robot/commands.ts';
import type { Robot } from '../../server/robot/robot.ts';
import { type NamedStation, stationAt } from './stations.ts';

/** A planned motion, or why there is none. */
type PlannedWay = PlannedMotion | { readonly fault: string };

interface Way {
  readonly start: Float64Array;
  readonly joints: readonly number[];
  readonly speed_m_s: number;
  readonly trajectory: 'joint_space' | 'linear';
}

/** Plans a motion with the timing and the range of the arm. */
function planWay({ memory, range }: Robot, { speed_m_s, ...ends }: Way): PlannedWay {
  const { timing } = memory;
  const max_speed = Math.min(speed_m_s, speedCap_m_s('automatic'));
  const plan = planTasks.goTo({ ...ends, max_speed, timing, range, mode: 'automatic' });
  if (!plan.ok) return { fault: plan.message };
  const { path, profile } = plan.segment;
  const tool_offset_m = [0, 0, 0] as const;
  const caps = { tool_speed_m_s: max_speed, tool_offset_m, payload_kg: 0, timing };
  return { start: ends.start, path, profile, caps };
}

/** Plans the motion home of an arm that stands in no station. */
export function planHomeway(
  robot: Robot,
  { start, config }: { readonly start: Float64Array; readonly config: TransportConfig },
): PlannedWay {
  const { home, default_max_speed } = config;
  const way = { start, joints: home, speed_m_s: default_max_speed };
  return planWay(robot, { ...way, trajectory: 'joint_space' });
}

interface Withdrawal {
  readonly motion: PlannedMotion;
  readonly station: NamedStation;
}

/** Plans the straight way out of the station in which the arm stands; null if it is in none. */
export function planWithdrawal(
  robot: Robot,
  stations: readonly NamedStation[],
  speed_m_s: number,
): Withdrawal | { readonly fault: string } | null {
  const start = Float64Array.from(robot.restPose);
  const station = stationAt(stations, start);
  if (!station) return null;
  const way = { start, joints: station.approach, speed_m_s };
  const motion = planWay(robot, { ...way, trajectory: 'linear' });
  if (!('fault' in motion)) return { motion, station };
  const fault =
    `it stands in ${station.name} and cannot go straight to its approach pose: ` +
    `${motion.fault}. Move it there by hand or with go_to, then try again`;
  return { fault };
}
