/**
 * Toolpath check: every rule of §2.2 that spans several parts of a toolpath and therefore is not in
 * its schema. Expects a toolpath that fits the schema. Each rule is in a file of its kind; this
 * file lists them. D16, D18, D22.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { actionProblems } from './action-rules.ts';
import { callGraph } from './call-graph.ts';
import { homeProblems } from './home-rules.ts';
import { metadataProblems, versionProblems, waypointProblems } from './metadata-rules.ts';
import { restartProblems } from './restart-rules.ts';
import { routineProblems } from './routine-rules.ts';

/**
 * All semantic problems of a toolpath, each with its JSON pointer; empty when it is valid. At most
 * as many as limits.ts allows in a reply. An unknown format suppresses all other problems. Does not
 * check motions; the build does.
 */
export function checkToolpath(toolpath: Toolpath): readonly Problem[] {
  const version = versionProblems(toolpath);
  if (version.length > 0) return version;
  const graph = callGraph(toolpath);
  const problems = [
    ...metadataProblems(toolpath),
    ...waypointProblems(toolpath),
    ...homeProblems(toolpath, graph),
    ...actionProblems(toolpath),
    ...routineProblems(toolpath, graph),
    ...restartProblems(toolpath, graph),
  ];
  return problems.slice(0, limits.reported_problems);
}
