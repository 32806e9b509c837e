/**
 * Toolpath check, rules of metadata and waypoints that a schema cannot express: uniqueness, counts,
 * orientations. §2.2, §2.7; D15, D18, D20, D25.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type { AvoidanceZone, Toolpath, Waypoint } from '../../contract/types.generated.ts';
import { normaliseQuaternion } from '../math/rotation.ts';
import { outputProblems } from './io-rules.ts';

/** Reports fields with the same value as an earlier one; `at` makes their pointers. */
function repeats<Value>(
  values: readonly Value[],
  at: (index: number) => string,
  sentence: (value: Value, first: string) => string,
): Problem[] {
  const firsts = new Map<Value, number>();
  const problems: Problem[] = [];
  values.forEach((value, i) => {
    const first = firsts.get(value);
    if (first === undefined) firsts.set(value, i);
    else problems.push({ path: at(i), problem: sentence(value, at(first)) });
  });
  return problems;
}

/** The version rule; a problem here suppresses all others. */
export function versionProblems(toolpath: Toolpath): Problem[] {
  const version: unknown = toolpath.metadata.version;
  if (version === limits.toolpath_version) return [];
  const latest = `must be ${limits.toolpath_version}, the latest toolpath format`;
  const older = typeof version !== 'number' || version < limits.toolpath_version;
  const advice = older
    ? 'migrate older ones with PUT /api/v1/toolpath/migrate'
    : `format ${version} is unknown`;
  return [{ path: '/metadata/version', problem: `${latest}; ${advice}` }];
}

function zoneProblems(zone: AvoidanceZone, path: string): Problem[] {
  const problems: Problem[] = [];
  for (const axis of ['x', 'y', 'z'] as const) {
    if (zone.dimensions[axis] >= 0) continue;
    const problem = 'must not be negative: the box extends from its position along its own axes';
    problems.push({ path: `${path}/dimensions/${axis}`, problem });
  }
  if (!normaliseQuaternion(zone.orientation)) {
    const problem = 'must not be all zeros; no rotation is w 1, x 0, y 0, z 0';
    problems.push({ path: `${path}/orientation`, problem });
  }
  return problems;
}

/** Checks avoidance zones; `path` is the pointer of the array in its body. */
export function checkZones(zones: readonly AvoidanceZone[], path: string): Problem[] {
  const problems: Problem[] = [];
  if (zones.length > limits.avoidance_zones) {
    const problem = `must have at most ${limits.avoidance_zones} zones, but has ${zones.length}`;
    problems.push({ path, problem });
  }
  problems.push(
    ...repeats(
      zones.map((zone) => zone.name),
      (i) => `${path}/${i}/name`,
      (name, first) => `must be unique: '${name}' is also the name at ${first}`,
    ),
  );
  zones.forEach((zone, i) => {
    problems.push(...zoneProblems(zone, `${path}/${i}`));
  });
  return problems;
}

/** Checks the metadata: zones and the output set on an error. */
export function metadataProblems(toolpath: Toolpath): Problem[] {
  const { avoidance_zones, output_on_error, analog_modes } = toolpath.metadata;
  const problems = checkZones(avoidance_zones ?? [], '/metadata/avoidance_zones');
  if (output_on_error) {
    problems.push(...outputProblems(output_on_error, analog_modes, '/metadata/output_on_error'));
  }
  return problems;
}

function labelProblems(waypoint: Waypoint, path: string): Problem[] {
  if (waypoint.label === undefined) return [];
  if (waypoint.label === '') {
    return [{ path, problem: 'must not be empty; leave it out for a waypoint without label' }];
  }
  const characters = [...waypoint.label].length;
  if (characters <= limits.label_max_characters) return [];
  const most = `must have at most ${limits.label_max_characters} characters`;
  return [{ path, problem: `${most}, but has ${characters}` }];
}

/** Checks the waypoints: count, labels, label ids. */
export function waypointProblems(toolpath: Toolpath): Problem[] {
  const { waypoints } = toolpath;
  if (waypoints.length > limits.waypoints) {
    const most = `must have at most ${limits.waypoints} waypoints`;
    return [{ path: '/waypoints', problem: `${most}, but has ${waypoints.length}` }];
  }
  const problems = repeats(
    waypoints.map((waypoint) => waypoint.label_id),
    (i) => `/waypoints/${i}/label_id`,
    (id, first) => `must be unique: ${id} is also the label_id at ${first}`,
  );
  waypoints.forEach((waypoint, i) => {
    problems.push(...labelProblems(waypoint, `/waypoints/${i}/label`));
  });
  return problems;
}
