/**
 * The stations of the arm, and the one in which it stands. Where the arm stands between the grip
 * and the approach pose of a station, its jaws are beside or around labware. Frames: the flange in
 * the robot frame.
 */
import type {
  StationConfig,
  TransportConfig,
  WorkflowInstrument,
} from '../../contract/types.generated.ts';
import { createPoseReader, FLANGE_TOOL } from '../../physics/kinematics/tool.ts';
import { rotationBetween } from '../../physics/math/rotation-vector.ts';

/** A station with its name, such as "hotel slot 1". */
export interface NamedStation extends StationConfig {
  readonly name: string;
}

/** How far beside the line from approach to grip the arm still counts as in the station (m). */
const BESIDE_M = 0.03;
/** How far the flange may be turned from both poses of the station (rad). */
const TURNED_RAD = 0.5;
/** An arm so near to the approach pose, or behind it, is out of the station (m). */
const OUT_M = 0.001;

const readPose = createPoseReader();

/** Position of the flange and its rotation, as one pose of the kinematics. */
function flangeAt(joints: ArrayLike<number>): Float64Array {
  return Float64Array.from(readPose(Float64Array.from(joints), FLANGE_TOOL));
}

function turn_rad(one: Float64Array, other: Float64Array): number {
  const vector = new Float64Array(3);
  rotationBetween(one, other, vector);
  return Math.hypot(...vector);
}

function between(from: Float64Array, to: Float64Array): [number, number, number] {
  return [to[9]! - from[9]!, to[10]! - from[10]!, to[11]! - from[11]!];
}

/** Distance of a flange in a station from the line of that station (m); null outside of it. */
function besideStation_m(station: StationConfig, flange: Float64Array): number | null {
  const [approach, grip] = [flangeAt(station.approach), flangeAt(station.grip)];
  if (Math.min(turn_rad(approach, flange), turn_rad(grip, flange)) > TURNED_RAD) return null;
  const line = between(approach, grip);
  const way = between(approach, flange);
  const length_m = Math.hypot(...line);
  if (length_m < OUT_M) return null;
  const depth_m = line.reduce((sum, part, i) => sum + part * way[i]!, 0) / length_m;
  if (depth_m < OUT_M) return null;
  const share = Math.min(depth_m, length_m) / length_m;
  const beside_m = Math.hypot(...line.map((part, i) => way[i]! - part * share));
  return beside_m <= BESIDE_M ? beside_m : null;
}

/** Returns the station in which the arm stands with these joint angles; null for none. */
export function stationAt(
  stations: readonly NamedStation[],
  joints: ArrayLike<number>,
): NamedStation | null {
  const flange = flangeAt(joints);
  let nearest: { readonly station: NamedStation; readonly beside_m: number } | null = null;
  for (const station of stations) {
    const beside_m = besideStation_m(station, flange);
    if (beside_m === null || (nearest && nearest.beside_m <= beside_m)) continue;
    nearest = { station, beside_m };
  }
  return nearest?.station ?? null;
}

function isStation(poses: unknown): poses is StationConfig {
  const { approach, grip } = (poses ?? {}) as Partial<StationConfig>;
  return [approach, grip].every((pose) => Array.isArray(pose) && pose.length === 6);
}

/** Returns the stations of the transport instruments among these; others have none. */
export function stationsOf(instruments: readonly WorkflowInstrument[]): NamedStation[] {
  return instruments.flatMap(({ config }) => {
    const { stations } = (config ?? {}) as Partial<TransportConfig>;
    return Object.entries(stations ?? {}).flatMap(([id, slots]) =>
      Object.entries(slots ?? {}).flatMap(([slot, poses]) =>
        isStation(poses) ? [{ ...poses, name: `${id} slot ${slot}` }] : [],
      ),
    );
  });
}
