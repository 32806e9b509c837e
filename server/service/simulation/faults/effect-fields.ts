/** The fields of the bodies of faults that only some effects use. */
import { type Refusal, refuseAt } from '../../../../contract/refusal.ts';

/** The fields that each effect of a kind uses, besides those of all effects. */
export type EffectFields<Effect extends string> = Readonly<Record<Effect, readonly string[]>>;

/** The refusal of a field that only other effects of the kind use, or null. */
export function unusedField<Effect extends string>(
  body: object,
  chosen: Effect,
  fields: EffectFields<Effect>,
): Refusal<'invalid_arguments'> | null {
  const rows = Object.entries<readonly string[]>(fields);
  const unused = rows
    .flatMap(([, names]) => names)
    .find((name) => Object.hasOwn(body, name) && !fields[chosen].includes(name));
  if (unused === undefined) return null;
  const users = rows.filter(([, names]) => names.includes(unused));
  const uses = users.map(([effect]) => `“${effect}”`).join(' or ');
  return refuseAt(`/${unused}`, `is for ${uses} only; leave it out`);
}
