/**
 * What would remove an error or a warning from a toolpath: edits that were built and found to have
 * fewer of them, or why none was found; of a collision, its deepest point. Pure; runs in a build
 * worker.
 */
import type { Action, Joints, Toolpath, Vector } from '../../contract/types.generated.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { MODEL_RANGE } from '../../physics/arm/arm-range.ts';
import { solveInverse } from '../../physics/kinematics/inverse.ts';
import { createPoseReader, createTool } from '../../physics/kinematics/tool.ts';
import type { BuiltArm } from './build-messages.ts';
import type { Deepest, Finding } from './finding.ts';
import { openToolpath } from './open-toolpath.ts';
import type { Preview } from './preview.ts';
import { createTrajectoryPoint, sampleSegment, type TimedPath } from './timed-path.ts';
import {
  actionAt,
  changeWaypoint,
  insertAction,
  listElementOf,
  withValue,
  withWaypoint,
} from './toolpath-edit.ts';
import { waypointName } from './waypoint-name.ts';

/** An edit that removes a finding, with the path of the edited toolpath. */
export interface FindingRemedy {
  readonly label: string;
  readonly toolpath: Toolpath;
  readonly path: TimedPath;
}

export interface FindingReply {
  readonly deepest: Deepest | null;
  readonly remedies: readonly FindingRemedy[];
  /** Why there is no remedy; empty where there is one. */
  readonly why: string;
}

/** Tried lifts of a waypoint beyond the depth (m), the smallest that works is offered. */
const LIFTS_M = [0.01, 0.03, 0.06, 0.1, 0.15];
/** Tried heights of a detour above the deepest point, beyond the depth (m). */
const DETOURS_M = [0.05, 0.1, 0.16, 0.24];
/** Tried shifts of a zone beyond the depth (m). */
const SHIFTS_M = [0.01, 0.05, 0.12];
/** Directions in which a zone may be moved, level ones first. */
const DIRECTIONS: readonly Vector[] = [
  { x: 1, y: 0, z: 0 },
  { x: -1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: -1, z: 0 },
  { x: 0, y: 0, z: -1 },
];
const STEP_MM = 5;
/** A joint that is brought into its range stays so far from its end (rad). */
const SPARE_RAD = 0.01;

/** A length that is safe to show and to apply: whole steps of 5 mm, upwards (m). */
function roundedUp_m(length_m: number): number {
  return (Math.ceil((length_m * 1000) / STEP_MM) * STEP_MM) / 1000;
}

function millimetres(length_m: number): string {
  return `${Math.round(length_m * 1000)} mm`;
}

/** Where a collision is, as far as it is known: `b` is what is touched. */
type Spot = Pick<Deepest, 'depth_m' | 'joints'> & { readonly b: string | null };

interface Case {
  readonly toolpath: Toolpath;
  readonly finding: Finding;
  /** Null for an error that is no collision. */
  readonly spot: Spot | null;
  readonly arm: BuiltArm;
}

type Edit = Omit<FindingRemedy, 'path'>;

const rangeOf = ({ arm }: Pick<Case, 'arm'>) => arm.jointRange ?? MODEL_RANGE;

/** Joints whose tool point is higher by some metres, with the same orientation; null if none. */
function lifted(found: Case, joints: Joints, by_m: number): Joints | null {
  const tool = createTool(found.toolpath.metadata.tcp_config);
  const pose = createPoseReader()(joints, tool);
  pose[11]! += by_m;
  const solved = solveInverse({ pose, guess: joints, tool, range: rangeOf(found) });
  if (!solved.ok) return null;
  const [a, b, c, d, e, f] = solved.joints;
  return [a!, b!, c!, d!, e!, f!];
}

/** The waypoint that a move goes to; null for other actions. */
function targetOf(action: Action | null): number | null {
  return action?.type === 'trajectory' || action?.type === 'home' ? action.waypoint_id : null;
}

/** Lifts the waypoints at both ends of the move, one at a time. */
function* lifts(found: Case): Generator<Edit> {
  const { toolpath, finding, spot } = found;
  if (!spot) return;
  const { list, index } = listElementOf(finding.at);
  const ends = [finding.at, `${list}/${index - 1}`].map((at) => targetOf(actionAt(toolpath, at)));
  for (const waypoint of new Set(ends)) {
    const joints = waypoint === null ? undefined : toolpath.waypoints[waypoint]?.joints;
    if (waypoint === null || !joints) continue;
    for (const more_m of LIFTS_M) {
      const by_m = roundedUp_m(spot.depth_m + more_m);
      const higher = lifted(found, joints, by_m);
      if (!higher) continue;
      const label = `Raise “${waypointName(toolpath, waypoint)}” by ${millimetres(by_m)}`;
      const edit = changeWaypoint(toolpath, waypoint, (one) => ({ ...one, joints: higher }));
      yield { label, toolpath: edit };
    }
  }
}

/** Inserts a waypoint above the deepest point before the move. */
function* detours(found: Case): Generator<Edit> {
  const { toolpath, finding, spot } = found;
  if (!spot) return;
  for (const more_m of DETOURS_M) {
    const by_m = roundedUp_m(spot.depth_m + more_m);
    const joints = lifted(found, spot.joints, by_m);
    if (!joints) continue;
    const label = `Detour ${millimetres(by_m)} above`;
    const waypoint_id = toolpath.waypoints.length;
    const move: Action = { type: 'trajectory', waypoint_id, trajectory: 'joint_space' };
    const more = withWaypoint(toolpath, joints);
    yield { label, toolpath: insertAction(more, listElementOf(finding.at), move).toolpath };
  }
}

/** Moves the zone that is entered. */
function* shifts({ toolpath, spot }: Case): Generator<Edit> {
  const zones = toolpath.metadata.avoidance_zones ?? [];
  const zone = zones.find(({ name }) => name === spot?.b);
  if (!spot || !zone) return;
  for (const more_m of SHIFTS_M) {
    const by_m = roundedUp_m(spot.depth_m + more_m);
    for (const direction of DIRECTIONS) {
      const { x, y, z } = zone.position;
      const position = {
        x: x + by_m * direction.x,
        y: y + by_m * direction.y,
        z: z + by_m * direction.z,
      };
      const moved = zones.map((one) => (one === zone ? { ...zone, position } : one));
      const metadata = { ...toolpath.metadata, avoidance_zones: moved };
      const label = `Move zone “${zone.name}” by ${millimetres(by_m)}`;
      yield { label, toolpath: { ...toolpath, metadata } };
    }
  }
}

/** Goes to the waypoint as a joint move, which has no straight or smooth path to keep to. */
function* jointMoves({ toolpath, finding }: Case): Generator<Edit> {
  const action = actionAt(toolpath, finding.at);
  if (action?.type !== 'trajectory' || action.pass_through) return;
  if (action.trajectory === 'joint_space') return;
  const edit = withValue(toolpath, finding.at, { ...action, trajectory: 'joint_space' });
  yield { label: 'Go there as a joint move', toolpath: edit };
}

/** Leaves out the time that a move is to take. */
function* ownTimes({ toolpath, finding }: Case): Generator<Edit> {
  const action = actionAt(toolpath, finding.at);
  if (action?.type !== 'trajectory' || action.time === undefined) return;
  const { time: _, ...timed } = action;
  const edit = withValue(toolpath, finding.at, timed);
  yield { label: 'Let the move take the time that it needs', toolpath: edit };
}

/** Brings the joints of the waypoint into their range. */
function* rangedWaypoints(found: Case): Generator<Edit> {
  const { toolpath, finding } = found;
  const waypoint = targetOf(actionAt(toolpath, finding.at));
  const joints = waypoint === null ? undefined : toolpath.waypoints[waypoint]?.joints;
  if (waypoint === null || !joints) return;
  const { min_rad, max_rad } = rangeOf(found);
  const within = joints.map((angle, j) =>
    Math.min(Math.max(angle, min_rad[j]! + SPARE_RAD), max_rad[j]! - SPARE_RAD),
  );
  const moved = joints.flatMap((angle, j) => {
    return angle >= min_rad[j]! && angle <= max_rad[j]! ? [] : [jointName(j)];
  });
  if (moved.length === 0) return;
  const [a, b, c, d, e, f] = joints.map((angle, j) =>
    moved.includes(jointName(j)) ? within[j]! : angle,
  );
  const ranged: Joints = [a!, b!, c!, d!, e!, f!];
  const label = `Bring ${moved.join(' and ')} of “${waypointName(toolpath, waypoint)}” into range`;
  const edit = changeWaypoint(toolpath, waypoint, (one) => ({ ...one, joints: ranged }));
  yield { label, toolpath: edit };
}

/** The edits that are tried, and what each does. */
const EDITS: readonly (readonly [what: string, edits: (found: Case) => Iterable<Edit>])[] = [
  ['raising the waypoints at its ends', lifts],
  ['a detour above', detours],
  ['moving the zone', shifts],
  ['bringing the waypoint into range', rangedWaypoints],
  ['a joint move', jointMoves],
  ['more time', ownTimes],
];

const countOf = (findings: readonly Finding[], kind: Finding['kind']) =>
  findings.filter((finding) => finding.kind === kind).length;

/** Whether what is wrong has become less: fewer errors, or fewer warnings and no more errors. */
function isBetter(now: readonly Finding[], before: readonly Finding[], kind: Finding['kind']) {
  const errors = countOf(now, 'error') - countOf(before, 'error');
  if (kind === 'error') return errors < 0;
  return errors <= 0 && countOf(now, 'warning') < countOf(before, 'warning');
}

/** The first edit that builds with less that is wrong, and whether any was tried. */
function firstThatHelps(
  edits: Iterable<Edit>,
  { finding, arm }: Case,
  before: readonly Finding[],
): { readonly remedy: FindingRemedy | null; readonly isTried: boolean } {
  let isTried = false;
  for (const { label, toolpath } of edits) {
    isTried = true;
    const built = openToolpath(JSON.stringify(toolpath), arm);
    if (!built.ok) continue;
    const { findings } = built.value.preview;
    if (!isBetter(findings, before, finding.kind)) continue;
    const path = built.value.preview.path(findings[0]?.choices ?? {});
    return { remedy: { label, toolpath: built.value.toolpath, path }, isTried };
  }
  return { remedy: null, isTried };
}

const point = createTrajectoryPoint();

/** Where the arm is when it comes too near to something of the cell; null for other findings. */
function spotInCell(preview: Preview, { at, choices, moment }: Finding): Spot | null {
  if (!moment) return null;
  const { segments } = preview.path(choices);
  const own = segments.filter((one) => one.at === at);
  const segment = own.find(({ cell }) => cell.join() === moment.cell.join()) ?? own[0];
  if (!segment) return null;
  sampleSegment(segment, moment.into_s, point);
  const [a, b, c, d, e, f] = point.joints;
  return { depth_m: 0, joints: [a!, b!, c!, d!, e!, f!], b: null };
}

function whyNone(tried: readonly string[], kind: Finding['kind']): string {
  const last = kind === 'error' ? 'an error' : 'a warning';
  if (tried.length === 0)
    return `No simple edit is known for ${last} of this kind: change the move or its waypoint by hand.`;
  const all = new Intl.ListFormat('en', { type: 'disjunction' }).format(tried);
  return `No simple edit was found: ${all} does not make it better. Change the move or its waypoint by hand.`;
}

/** Edits that make an error or a warning go away, each built, or why there is none. */
export function remediesFor(text: string, finding: Finding, arm: BuiltArm = {}): FindingReply {
  const opened = openToolpath(text, arm);
  if (!opened.ok) return { deepest: null, remedies: [], why: 'The toolpath cannot be read.' };
  const { toolpath, preview } = opened.value;
  const deepest = preview.deepest(finding);
  const found = { toolpath, finding, arm, spot: deepest ?? spotInCell(preview, finding) };
  const results = EDITS.map(([what, edits]) => {
    return { what, ...firstThatHelps(edits(found), found, preview.findings) };
  });
  const remedies = results.flatMap(({ remedy }) => (remedy ? [remedy] : []));
  const tried = results.flatMap(({ what, isTried }) => (isTried ? [what] : []));
  return { deepest, remedies, why: remedies.length > 0 ? '' : whyNone(tried, finding.kind) };
}
