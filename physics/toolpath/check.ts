/**
 * Every rule of spec §2.2 that joins several places of a toolpath and so cannot stand in its
 * schema. It expects a toolpath that fits the schema. Each rule lives in a file of its kind; this
 * one says which there are. Decisions D16, D18, D22.
 */
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.ts';
import { actionProblems } from './action-rules.ts';
import { homeProblems, restartProblems } from './home-rules.ts';
import { metadataProblems, versionProblems, waypointProblems } from './metadata-rules.ts';
import { callGraph, routineProblems } from './routine-rules.ts';

/**
 * All semantic problems of a toolpath, each with the JSON pointer of its place; empty when it is
 * valid. At most as many as limits.ts lets a reply carry. An unknown format is the only problem
 * named where there is one. Motion faults are not looked for: they belong to the build.
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
