/** What a kind of faults is: how a fault of it begins and ends, and on what it acts. */
import type { Refusal } from '../../../../contract/refusal.ts';
import type { AddFaultBody } from '../../../../contract/types.generated.ts';

export type FaultRefusal = Refusal<'invalid_arguments' | 'not_supported' | 'fault_cannot_act'>;

export type FaultKind = AddFaultBody['kind'];
export type FaultBody<Kind extends FaultKind> = Extract<AddFaultBody, { kind: Kind }>;

/** Callbacks from an active fault to the list. */
export interface FaultReporter {
  /** Counts one effect of the fault. */
  readonly applied: () => void;
  /** Removes the fault from the list. */
  readonly expired: () => void;
}

/** Activates a fault; returns the function that ends it, or a refusal. */
export type FaultProducer<Kind extends FaultKind> = (
  fault: FaultBody<Kind>,
  reporter: FaultReporter,
) => (() => void) | FaultRefusal;

/** A kind of faults, as the list of the active ones uses it. */
export interface FaultRow<Kind extends FaultKind> {
  readonly produce: FaultProducer<Kind>;
  /** The part of arm or cell on which it acts, which has one fault at a time; absent: no such. */
  readonly targetOf?: (fault: FaultBody<Kind>) => string;
  /** Whether it is of a part of the cell, and ends with it. */
  readonly isOfCell?: true;
}

/** The kinds of faults, of which there is a row each. */
export type FaultTable = { readonly [Kind in FaultKind]: FaultRow<Kind> };
