/** The workcell of a definition: the one that it describes, or the stored one that it names. */
import type { WorkcellBody, WorkflowDefinition } from '../../contract/types.generated.ts';
import type { DefinitionError } from './definition-findings.ts';

/** The name of the workcell whose instruments a definition uses; null if it has its own. */
export function namedWorkcell(document: unknown): string | null {
  const { workcell } = (document ?? {}) as { readonly workcell?: unknown };
  const { workcell_id: name, instruments } = (workcell ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && instruments === undefined ? name : null;
}

/** A definition with the instruments of the workcell that it names. */
export function withWorkcell(document: unknown, found: WorkcellBody): object {
  const { instruments, transport_matrix } = found;
  const { workcell } = document as { readonly workcell: object };
  return { ...(document as object), workcell: { ...workcell, instruments, transport_matrix } };
}

/** The error of a definition that names an unknown workcell. */
export function unknownWorkcell(name: string): DefinitionError {
  const message = `names no workcell of yours: ${name}; create it or send its instruments`;
  return { path: '/workcell/workcell_id', message };
}

function isSameBody(a: WorkcellBody, b: WorkcellBody): boolean {
  const [one, other] = [a, b].map(({ instruments, transport_matrix }) =>
    JSON.stringify([instruments, transport_matrix]),
  );
  return one === other;
}

/** The name of the workcell of a definition. */
export function workcellNameOf({ workcell, name }: WorkflowDefinition): string {
  return workcell.workcell_id || name;
}

/** The workcell that a definition describes; null if it only names one. */
export function describedWorkcell(definition: WorkflowDefinition): WorkcellBody | null {
  const { instruments, transport_matrix } = definition.workcell;
  if (!instruments) return null;
  const name = workcellNameOf(definition);
  return { name, instruments, ...(transport_matrix && { transport_matrix }) };
}

/** True if a definition describes the workcell as it is stored. */
export function describes(definition: WorkflowDefinition, found: WorkcellBody): boolean {
  const described = describedWorkcell(definition);
  return described === null || isSameBody(described, found);
}
