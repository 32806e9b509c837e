/** The kinds of faults, and what produces one of them. */
import type { Refusal } from '../../../../contract/refusal.ts';
import type { AddFaultBody } from '../../../../contract/types.ts';

export type FaultRefusal = Refusal<'invalid_arguments' | 'not_supported'>;

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

export type FaultProducers = { readonly [Kind in FaultKind]: FaultProducer<Kind> };
