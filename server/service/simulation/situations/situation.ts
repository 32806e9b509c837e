/** What a situation is: a name for what goes wrong around an arm, made of what the twin can do. */
import type { Refusal } from '../../../../contract/refusal.ts';
import type { SituationBody } from '../../../../contract/types.generated.ts';

export type SituationName = SituationBody['name'];
/** A field of the body with which a situation can be changed. */
export type SituationParameter = Exclude<keyof SituationBody, 'name'>;

export type SituationRefusal = Refusal<'invalid_arguments' | 'not_supported' | 'fault_cannot_act'>;

/** A situation that has begun. */
export interface BegunSituation {
  /** Whether it lasts: what it is made of may have ended without it, as by a reset. */
  readonly isActive: () => boolean;
  readonly end: () => void;
}

/** A situation, as the list of all uses it. */
export interface SituationRow {
  /** What happens, in a sentence. */
  readonly does: string;
  readonly parameters: readonly SituationParameter[];
  /** Why it cannot begin as things stand, with what to do; null: it can. */
  readonly hindrance: () => string | null;
  readonly begin: (body: SituationBody) => BegunSituation | SituationRefusal;
}

/** The situations, of which there is a row each. */
export type SituationTable = { readonly [Name in SituationName]: SituationRow };
