/**
 * What would remove a collision from a toolpath: the deepest point of the collision, and edits that
 * were built and found free of it (raise a waypoint, detour above, move the zone). Pure; runs in a
 * build worker.
 */
import type { Action, Joints, Toolpath, Vector } from '../../contract/types.generated.ts';
import { MODEL_RANGE } from '../../physics/arm/arm-range.ts';
import { solveInverse } from '../../physics/kinematics/inverse.ts';
import { createPoseReader, createTool } from '../../physics/kinematics/tool.ts';
import type { BuiltArm } from './build-messages.ts';
import type { Deepest, Finding } from './finding.ts';
import { openToolpath } from './open-toolpath.ts';
import type { TimedPath } from './timed-path.ts';
import {
  actionAt,
  changeWaypoint,
  insertAction,
  listElementOf,
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

/** A length that is safe to show and to apply: whole steps of 5 mm, upwards (m). */
function roundedUp_m(length_m: number): number {
  return (Math.ceil((length_m * 1000) / STEP_MM) * STEP_MM) / 1000;
}

function millimetres(length_m: number): string {
  return `${Math.round(length_m * 1000)} mm`;
}

interface Case {
  readonly toolpath: Toolpath;
  readonly finding: Finding;
  readonly deepest: Deepest;
  readonly arm: BuiltArm;
}

/** Joints whose tool point is higher by some metres, with the same orientation; null if none. */
function lifted({ toolpath, arm }: Case, joints: Joints, by_m: number): Joints | null {
  const tool = createTool(toolpath.metadata.tcp_config);
  const pose = createPoseReader()(joints, tool);
  pose[11]! += by_m;
  const found = solveInverse({ pose, guess: joints, tool, range: arm.jointRange ?? MODEL_RANGE });
  if (!found.ok) return null;
  const [a, b, c, d, e, f] = found.joints;
  return [a!, b!, c!, d!, e!, f!];
}

/** The waypoint that a move goes to; null for other actions. */
function targetOf(action: Action | null): number | null {
  return action?.type === 'trajectory' || action?.type === 'home' ? action.waypoint_id : null;
}

/** Lifts the waypoints at both ends of the move, one at a time. */
function* lifts(found: Case): Generator<Omit<FindingRemedy, 'path'>> {
  const { toolpath, finding, deepest } = found;
  const { list, index } = listElementOf(finding.at);
  const ends = [finding.at, `${list}/${index - 1}`].map((at) => targetOf(actionAt(toolpath, at)));
  for (const waypoint of new Set(ends)) {
    const joints = waypoint === null ? undefined : toolpath.waypoints[waypoint]?.joints;
    if (waypoint === null || !joints) continue;
    for (const more_m of LIFTS_M) {
      const by_m = roundedUp_m(deepest.depth_m + more_m);
      const higher = lifted(found, joints, by_m);
      if (!higher) continue;
      const label = `Raise “${waypointName(toolpath, waypoint)}” by ${millimetres(by_m)}`;
      const edit = changeWaypoint(toolpath, waypoint, (one) => ({ ...one, joints: higher }));
      yield { label, toolpath: edit };
    }
  }
}

/** Inserts a waypoint above the deepest point before the move. */
function* detours(found: Case): Generator<Omit<FindingRemedy, 'path'>> {
  const { toolpath, finding, deepest } = found;
  for (const more_m of DETOURS_M) {
    const by_m = roundedUp_m(deepest.depth_m + more_m);
    const joints = lifted(found, deepest.joints, by_m);
    if (!joints) continue;
    const label = `Detour ${millimetres(by_m)} above`;
    const waypoint_id = toolpath.waypoints.length;
    const move: Action = { type: 'trajectory', waypoint_id, trajectory: 'joint_space' };
    const more = withWaypoint(toolpath, joints);
    yield { label, toolpath: insertAction(more, listElementOf(finding.at), move).toolpath };
  }
}

/** Moves the zone that is entered. */
function* shifts({ toolpath, deepest }: Case): Generator<Omit<FindingRemedy, 'path'>> {
  const zones = toolpath.metadata.avoidance_zones ?? [];
  const zone = zones.find(({ name }) => name === deepest.b);
  if (!zone) return;
  for (const more_m of SHIFTS_M) {
    const by_m = roundedUp_m(deepest.depth_m + more_m);
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

function errorsOf(findings: readonly Finding[]): number {
  return findings.filter(({ kind }) => kind === 'error').length;
}

/** The first edit that builds with fewer errors; null if none does. */
function firstThatBuilds(
  edits: Iterable<Omit<FindingRemedy, 'path'>>,
  errors: number,
  arm: BuiltArm,
): FindingRemedy | null {
  for (const { label, toolpath } of edits) {
    const built = openToolpath(JSON.stringify(toolpath), arm);
    if (!built.ok) continue;
    const { findings } = built.value.preview;
    if (errorsOf(findings) >= errors) continue;
    const path = built.value.preview.path(findings[0]?.choices ?? {});
    return { label, toolpath: built.value.toolpath, path };
  }
  return null;
}

/** The deepest point of a finding, and edits that remove it; each was built. */
export function remediesFor(text: string, finding: Finding, arm: BuiltArm = {}): FindingReply {
  const opened = openToolpath(text, arm);
  if (!opened.ok) return { deepest: null, remedies: [] };
  const { toolpath, preview } = opened.value;
  const deepest = preview.deepest(finding);
  if (!deepest) return { deepest, remedies: [] };
  const errors = errorsOf(preview.findings);
  const found = { toolpath, finding, deepest, arm };
  const edits = [lifts(found), detours(found), shifts(found)];
  const remedies = edits.map((each) => firstThatBuilds(each, errors, arm));
  return { deepest, remedies: remedies.filter((remedy) => remedy !== null) };
}
