import type { Situation } from '../../../contract/types.generated.ts';

/** What a situation's button says: why the situation cannot begin, else what it does. */
export function situationText({ does, hindrance }: Situation): string {
  return hindrance === null ? does : `Not possible now. ${hindrance}`;
}
