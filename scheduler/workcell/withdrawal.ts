/**
 * The way of the arm out of a station, and home. Before any other motion an arm in a station goes
 * straight to its approach pose. Only where the arm stands counts, so that the rule also holds
 * after a stop, an error, a restart of the run and a restored snapshot.
 */

import type { TransportConfig } from '../../contract/types.generated.ts';
import type { ArmMotion, ArmPort } from '../arm-port.ts';
import { type NamedStation, stationAt } from './stations.ts';

/** What it takes to plan a motion of the arm. */
type PlanningArm = Pick<ArmPort, 'restPose' | 'planWay'>;

/** Plans the motion home of an arm that stands in no station. */
export function planHomeway(
  arm: PlanningArm,
  { start, config }: { readonly start: Float64Array; readonly config: TransportConfig },
): ArmMotion | { readonly fault: string } {
  const { home, default_max_speed } = config;
  const way = { start, joints: home, speed_m_s: default_max_speed };
  return arm.planWay({ ...way, trajectory: 'joint_space' });
}

interface Withdrawal {
  readonly motion: ArmMotion;
  readonly station: NamedStation;
}

/** Plans the straight way out of the station in which the arm stands; null if it is in none. */
export function planWithdrawal(
  arm: PlanningArm,
  stations: readonly NamedStation[],
  speed_m_s: number,
): Withdrawal | { readonly fault: string } | null {
  const start = Float64Array.from(arm.restPose);
  const station = stationAt(stations, start);
  if (!station) return null;
  const way = { start, joints: station.approach, speed_m_s };
  const motion = arm.planWay({ ...way, trajectory: 'linear' });
  if (!('fault' in motion)) return { motion, station };
  const fault =
    `it stands in ${station.name} and cannot go straight to its approach pose: ` +
    `${motion.fault}. Move it there by hand or with go_to, then try again`;
  return { fault };
}
