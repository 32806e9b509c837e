/**
 * The transport matrix of a workcell: how long a move takes where no arm makes it. A path names
 * instruments or benches; of several that fit, the one that names instruments counts.
 */

import { limits } from '../../contract/limits.ts';
import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import type { ModelInstrument, WorkflowModel } from './workflow-model.ts';

const PATHS = '/workcell/transport_matrix/paths';

type MoveTimes = Pick<WorkflowModel, 'default_move_s' | 'pathTimes_s'>;
type Path = NonNullable<
  NonNullable<WorkflowDefinition['workcell']['transport_matrix']>['paths']
>[number];

/** Names may contain any character but this one between them. */
function pathKey(source: string, destination: string): string {
  return `${source}\n${destination}`;
}

function checkPaths(
  findings: DefinitionFindings,
  paths: readonly Path[],
  instruments: readonly ModelInstrument[],
): void {
  const known = new Set(instruments.flatMap(({ id, bench }) => [id, bench]));
  const first = new Map<string, number>();
  const warnings = paths.flatMap((path, i) => {
    const at = childPointer(PATHS, i);
    const unknown = (['source', 'destination'] as const)
      .filter((end) => !known.has(path[end]))
      .map((end) => `${at}/${end} names no instrument and no bench: ${path[end]}`);
    const key = pathKey(path.source, path.destination);
    const before = first.get(key);
    if (before === undefined) first.set(key, i);
    const again = `${at} repeats ${childPointer(PATHS, before ?? 0)} and replaces its time`;
    return before === undefined ? unknown : [...unknown, again];
  });
  findings.warnings.push(...warnings.slice(0, limits.reported_problems));
}

/** Reads the transport matrix of a definition; warns of what has no effect and of moves of 0 s. */
export function readMoveTimes(
  findings: DefinitionFindings,
  { workcell: { transport_matrix: matrix } }: WorkflowDefinition,
  on: { readonly instruments: readonly ModelInstrument[]; readonly hasArm: boolean },
): MoveTimes {
  const paths = matrix?.paths ?? [];
  checkPaths(findings, paths, on.instruments);
  if (matrix?.default === undefined && !on.hasArm) {
    const which = paths.length > 0 ? 'moves without a path' : 'moves';
    const advice = 'set /workcell/transport_matrix/default';
    findings.warnings.push(`The transport matrix has no default: ${which} take 0 s; ${advice}`);
  }
  const times = paths.map((one) => [pathKey(one.source, one.destination), one.time] as const);
  return { default_move_s: matrix?.default ?? 0, pathTimes_s: new Map(times) };
}

/** Returns the time of a move by the transport matrix (s). */
export function matrixTime_s(
  { instruments, pathTimes_s, default_move_s }: WorkflowModel,
  from: SlotLocation,
  to: SlotLocation,
): number {
  if (pathTimes_s.size === 0) return default_move_s;
  const source = instruments[from.instrument]!;
  const destination = instruments[to.instrument]!;
  return (
    pathTimes_s.get(pathKey(source.id, destination.id)) ??
    pathTimes_s.get(pathKey(source.id, destination.bench)) ??
    pathTimes_s.get(pathKey(source.bench, destination.id)) ??
    pathTimes_s.get(pathKey(source.bench, destination.bench)) ??
    default_move_s
  );
}
