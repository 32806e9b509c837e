/** The seed of the plans of a definition. */

import type { WorkflowDefinition } from '../../contract/types.generated.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import { isEmpty } from './read-definition.ts';

const DEFAULT_SEED = 1;

/** Reads the seed of `options`; any other member is refused, because it would have no effect. */
export function seedOf(findings: DefinitionFindings, { options }: WorkflowDefinition): number {
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
