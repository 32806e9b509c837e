/**
 * What a carry of labware by the arm needs besides its toolpath: the way out of the station in
 * which the arm stands, and, in a simulated cell, whether the piece is grasped, carried and placed.
 */
import type { StationConfig, TransportConfig, WorkflowInstrument } from '../../contract/types.ts';
import { objectState } from '../../physics/cell/cell-events.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { createPoseReader, FLANGE_TOOL } from '../../physics/kinematics/forward.ts';
import { rotationBetween } from '../../physics/math/rotation.ts';
import { speedCap_m_s } from '../../physics/toolpath/plan-segment.ts';
import { planTasks } from '../planning/plan-tasks.ts';
import type { PlannedMotion } from '../robot/commands.ts';
import type { Robot } from '../robot/robot.ts';
import { type CurrentCell, type DeckPlace, placeText, slotOfNest } from './deck.ts';

/**
 * The way out of a station. Where the arm stands between the grip and the approach pose of a
 * station, its jaws are beside or around labware: before any other motion it goes straight to the
 * approach pose. Only where the arm stands counts, so that the rule also holds after a stop, an
 * error, a restart of the run and a restored snapshot. Frames: the flange in the robot frame.
 */

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

/** A carry as the transporter starts it: the piece and where it goes. */
export interface CarriedLabware {
  readonly id: string;
  readonly instrument_id: string;
  readonly slot: number;
  /** Where it stands before the carry. */
  readonly from: NonNullable<DeckPlace>;
}

/** What a carry does in the cell: nothing yet, done, or failed for a reason. */
export type CarryState = 'pending' | 'done' | { readonly reason: string };

/** An object that was let go must rest within so many ticks (5 s). */
const REST_TICKS = 1250;
/** Events that end a carry. */
const MISHAPS: readonly string[] = ['missed', 'dropped'];

/** Watches one carry of a piece in the cell. */
export class CarryWatch {
  private readonly cell: CellPlant;
  private readonly current: CurrentCell;
  private readonly piece: CarriedLabware;
  private readonly i: number;
  private readonly since: number;
  /** Updates since the gripper opened over the target. */
  private waited = 0;

  private constructor(cell: CellPlant, current: CurrentCell, piece: CarriedLabware) {
    this.cell = cell;
    this.current = current;
    this.piece = piece;
    this.i = cell.model.bodies.findIndex(({ name }) => name === piece.id);
    this.since = cell.events.last;
  }

  /** Watches a carry; null when the cell does not have the piece. */
  static of(current: CurrentCell, piece: CarriedLabware | null): CarryWatch | null {
    const cell = current();
    if (!cell || !piece) return null;
    const watch = new CarryWatch(cell, current, piece);
    return watch.i < 0 ? null : watch;
  }

  /** The reason of a mishap since the start, or null. */
  private mishap(): string | null {
    if (this.current() !== this.cell) return 'the cell was replaced';
    const { id } = this.piece;
    const own = this.cell.events.list().find((event) => {
      const isOwn = event.kind === 'missed' || event.object === id;
      return event.id > this.since && isOwn && MISHAPS.includes(event.kind);
    });
    if (own?.kind === 'missed') return this.missingText(own.text);
    return own?.text ?? null;
  }

  /** The reason of a missed grasp: of a piece that is elsewhere, where it is. */
  private missingText(text: string): string {
    const { id, from } = this.piece;
    const { status, at } = objectState(this.cell, this.i);
    if (status === 'missing' || this.isSlot(at, from)) return text;
    const where = at === null ? status : `${status} at ${at}`;
    return `${id} is not in ${placeText(from)} but ${where}; put it back and retry (${text})`;
  }

  /** Whether the closed gripper has the piece. */
  grasped(): CarryState {
    const reason = this.mishap();
    if (reason !== null) return { reason };
    const { grippers, model } = this.cell;
    const held = grippers.find(({ holds }) => holds >= 0);
    if (!held) return 'pending';
    if (held.holds === this.i) return 'done';
    const wrong = model.bodies[held.holds]!.name;
    return { reason: `${held.name} grasped ${wrong}, not ${this.piece.id}` };
  }

  /** Whether the piece is still held. */
  carried(): CarryState {
    const reason = this.mishap();
    return reason === null ? 'pending' : { reason };
  }

  /** Whether the piece stands in its slot and no gripper holds it. */
  get isPlaced(): boolean {
    const { at, held_by } = objectState(this.cell, this.i);
    return held_by === null && this.isSlot(at, this.piece);
  }

  private isSlot(nest: string | null, slot: NonNullable<DeckPlace>): boolean {
    const place = slotOfNest(this.cell, nest);
    return place?.instrument_id === slot.instrument_id && place.slot === slot.slot;
  }

  /** Whether the piece that was let go rests in its slot. */
  placed(): CarryState {
    const { id, instrument_id, slot } = this.piece;
    const { status, at, held_by } = objectState(this.cell, this.i);
    if (this.isSlot(at, this.piece)) return 'done';
    this.waited += 1;
    const isLoose = held_by !== null || status === 'moving';
    if (isLoose && this.waited < REST_TICKS) return 'pending';
    const where = held_by === null ? `${status} at ${at ?? 'no place'}` : `held by ${held_by}`;
    return { reason: `${id} is ${where}, not in ${instrument_id} slot ${slot}` };
  }
}
