/** Situations that are made of an injected fault. */
import type { AddFaultBody, SituationBody } from '../../../../contract/types.generated.ts';
import type { FaultList } from '../faults/fault-list.ts';
import type { SituationRow } from './situation.ts';

interface FaultSituation extends Omit<SituationRow, 'begin' | 'hindrance'> {
  /** The fault that a body asks for; only called without a hindrance. */
  readonly fault: (body: SituationBody) => AddFaultBody;
  readonly hindrance?: SituationRow['hindrance'];
}

/** The row of a situation that lasts as long as its fault. */
export function faultSituation(
  faults: FaultList,
  { fault, hindrance = () => null, ...row }: FaultSituation,
): SituationRow {
  return {
    ...row,
    hindrance,
    begin(body) {
      const added = faults.add(fault(body));
      if ('refused' in added) return added;
      return {
        isActive: () => faults.list().some(({ id }) => id === added.id),
        end: () => void faults.clear(added.id),
      };
    },
  };
}
