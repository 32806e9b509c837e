/** What a definition says about its planning: the seed, and batches that are to end in order. */

import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import { isEmpty } from './read-definition.ts';

const DEFAULT_SEED = 1;

/** Reads `options`; any but `seed` is refused, because it would have no effect. */
function seedOf(findings: DefinitionFindings, { options }: WorkflowDefinition): number {
  if (isEmpty(options)) return DEFAULT_SEED;
  for (const key of typeof options === 'object' ? Object.keys(options!) : ['']) {
    if (key === 'seed') continue;
    findings.add(childPointer('/options', key), 'is not supported; remove it');
  }
  const seed: unknown = Reflect.get(Object(options), 'seed');
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return seed as number;
  if (seed !== undefined) findings.add('/options/seed', 'must be a whole number, 0 or more');
  return DEFAULT_SEED;
}

/**
 * Reads `batches` and `planning_targets`: the pieces of each batch in order where the target is
 * `batches`; empty for the target `makespan`.
 */
function batchesOf(
  findings: DefinitionFindings,
  { workflow }: WorkflowDefinition,
): readonly (readonly number[])[] {
  const { labware } = workflow;
  const [count, target]: unknown[] = [workflow.batches, workflow.planning_targets];
  const numbers = [...new Set(labware.map(({ batch }) => batch ?? 1))].sort((a, b) => a - b);
  if (!isEmpty(count) && count !== numbers.length) {
    const found = `the labware names ${numbers.length}`;
    findings.add('/workflow/batches', `must be the number of batches; ${found}`);
  }
  if (isEmpty(target) || target === 'makespan') return [];
  if (target !== 'batches') {
    findings.add('/workflow/planning_targets', 'must be "makespan" or "batches"');
    return [];
  }
  return numbers.map((number) =>
    labware.flatMap(({ batch }, piece) => ((batch ?? 1) === number ? [piece] : [])),
  );
}

/** Reads what a definition says about its planning. */
export function planningTargets(
  findings: DefinitionFindings,
  definition: WorkflowDefinition,
): { readonly seed: number; readonly batches: readonly (readonly number[])[] } {
  return { seed: seedOf(findings, definition), batches: batchesOf(findings, definition) };
}
