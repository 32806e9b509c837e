/**
 * The situations that have a name. Each is made of one mechanism that the twin has anyway (a fault,
 * an obstacle, the emergency stop, the lock), so that recordings hold it and replays repeat it.
 */

import type { ArmWorld } from '../../../../bridge/arm-world.ts';
import type { Vector } from '../../../../contract/types.generated.ts';
import type { Services } from '../../http/services.ts';
import type { FaultList } from '../faults/fault-list.ts';
import type { Obstacles } from '../obstacles.ts';
import { emergencyStopSituation } from './emergency-stop-situation.ts';
import { faultSituation } from './fault-situation.ts';
import { lockSituation } from './lock-situation.ts';
import { obstacleSituation } from './obstacle-situation.ts';
import type { SituationTable } from './situation.ts';

/** The twin, as situations need it. */
export interface SituationPorts {
  readonly services: Pick<Services, 'loop' | 'robot' | 'sessions' | 'users'>;
  readonly driverName: string;
  readonly world: ArmWorld | null;
  readonly faults: FaultList;
  readonly obstacles: Obstacles;
}

/** Latency of a slow network (s of wall time), and the most that a draw adds to it. */
const SLOW_DELAY_S = 0.3;
const SLOW_JITTER_S = 0.2;
/** Bandwidth of a slow network (bytes/s). */
const SLOW_RATE_BYTES_S = 20_000;
/** What a slow planner adds to each plan (s of wall time). */
const SLOW_PLAN_S = 2;
/** The joint whose drive fails: the elbow, which every motion needs. */
const DEFAULT_JOINT = 2;
/** An upper body (m), and where it stands: within reach, in front of the arm first. */
const PERSON = { name: 'person', half: { x: 0.12, y: 0.12, z: 0.4 } } as const;
const AWAY_M = 0.45;
const ASIDE_M = 0.32;
const PLACES: readonly Vector[] = [
  ...[
    { x: AWAY_M, y: 0 },
    { x: ASIDE_M, y: ASIDE_M },
    { x: ASIDE_M, y: -ASIDE_M },
  ],
  ...[
    { x: 0, y: AWAY_M },
    { x: 0, y: -AWAY_M },
  ],
  ...[
    { x: -ASIDE_M, y: ASIDE_M },
    { x: -ASIDE_M, y: -ASIDE_M },
    { x: -AWAY_M, y: 0 },
  ],
].map((place) => ({ ...place, z: PERSON.half.z }));

/** The table of a twin with these ports. */
export function createSituationTable(ports: SituationPorts): SituationTable {
  const { services, driverName, world, faults, obstacles } = ports;
  const worldHindrance = () =>
    world ? null : `The driver ${driverName} has no simulated world: choose rapier or fast`;
  const firstGripper = () => world?.cell?.model.grippers[0]?.name;
  const driveFault = (fault: 'lost' | 'overheated', does: string) =>
    faultSituation(faults, {
      does,
      parameters: ['joint'],
      hindrance: worldHindrance,
      fault: ({ joint = DEFAULT_JOINT }) => ({ kind: 'driver', joint, fault }),
    });
  return {
    network_slow: faultSituation(faults, {
      does: 'Replies and messages come late and unevenly, through a thin line',
      parameters: ['user_id', 'delay_s'],
      fault: ({ user_id, delay_s = SLOW_DELAY_S }) => ({
        ...{ kind: 'connection', effect: 'slow', delay_s, jitter_s: SLOW_JITTER_S },
        ...{ rate_bytes_s: SLOW_RATE_BYTES_S },
        ...(user_id !== undefined && { user_id }),
      }),
    }),
    network_cut: faultSituation(faults, {
      does: 'No call arrives and nothing is sent, while connections look open; at the end they are reset',
      parameters: ['user_id'],
      fault: ({ user_id }) => ({
        ...{ kind: 'connection', effect: 'half_open' },
        ...(user_id !== undefined && { user_id }),
      }),
    }),
    gripper_jams: faultSituation(faults, {
      does: 'A gripper of the cell does not move any more: it neither grasps nor lets go',
      parameters: ['gripper'],
      hindrance: () =>
        worldHindrance() ??
        (firstGripper() ? null : 'No gripper is there: load a cell with one (PUT /sim/v1/cell)'),
      fault: ({ gripper = firstGripper()! }) => ({ kind: 'gripper', gripper, fault: 'jammed' }),
    }),
    person_in_the_cell: obstacleSituation(obstacles, {
      does: 'A person whom the arm does not know of stands within its reach: the obstacle “person”',
      parameters: ['position'],
      hindrance: worldHindrance,
      obstacle: { ...PERSON, stiffness_n_per_m: 25_000 },
      places: PLACES,
    }),
    drive_fails: driveFault(
      'lost',
      'The drive of a joint does not answer any more: the arm is in error',
    ),
    drive_overheats: driveFault(
      'overheated',
      'The drive of a joint is too hot: the arm is in error',
    ),
    emergency_stop: emergencyStopSituation(services.loop, services.robot),
    lock_stolen: lockSituation(services),
    planner_slow: faultSituation(faults, {
      does: 'Every plan takes longer: replies to motion calls come late',
      parameters: ['delay_s'],
      hindrance: worldHindrance,
      fault: ({ delay_s = SLOW_PLAN_S }) => ({ kind: 'slow_planner', delay_s }),
    }),
    disk_full: faultSituation(faults, {
      does: 'Nothing can be saved: calls that save are answered 503, and the arm keeps moving',
      parameters: [],
      hindrance: worldHindrance,
      fault: () => ({ kind: 'disk_full' }),
    }),
  };
}
