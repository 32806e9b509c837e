/** The fields of the bodies of faults that only some effects use. */
import { type Refusal, refuse } from '../../../../contract/refusal.ts';

/** The faults that a field of a body is for; of the others it would have no effect. */
const FIELD_USES = {
  after_s: ['slips', 'leaks'],
  late_s: ['late'],
  spread_mm: ['misplaced'],
  seed: ['misplaced'],
  delay_s: ['delay'],
} as const;

/** The refusal of a field that the chosen fault does not use, or null. */
export function unusedField(
  body: object,
  chosen: string,
  fields: readonly (keyof typeof FIELD_USES)[],
): Refusal<'invalid_arguments'> | null {
  const given = new Set(Object.keys(body));
  const unused = fields.find((field) => {
    const uses: readonly string[] = FIELD_USES[field];
    return given.has(field) && !uses.includes(chosen);
  });
  if (unused === undefined) return null;
  const uses = FIELD_USES[unused].map((use) => `“${use}”`).join(' or ');
  return invalid(`/${unused}`, `is for ${uses} only; leave it out`);
}

export function invalid(path: string, problem: string): Refusal<'invalid_arguments'> {
  return refuse('invalid_arguments', [{ path, problem }]);
}
