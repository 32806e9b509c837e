import type { Draft } from './draft.ts';
import type { Guard } from './guard.ts';

/** Joins the transaction that creates an object. */
export type OnCreated<Made> = (draft: Draft, made: Made) => void;

/** What takes part in the transaction that creates an object. */
export interface Creation<Made> {
  /** By default nothing refuses. */
  readonly guard?: Guard;
  readonly onCreated?: OnCreated<Made>;
}
