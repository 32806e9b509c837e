/** One body on its way to one address, as outbox and courier share it. */
import type { Delivery, DeliveryAttempt, HookTypeName } from '../../contract/types.ts';

export interface Parcel {
  readonly id: number;
  /** Constant over attempts, restarts and redeliveries. */
  readonly message_id: string;
  readonly owner_id: number;
  /** Null for a test call. */
  readonly run_id: string | null;
  /** Number of the event in its run. */
  readonly sequence: number;
  readonly hook_type: HookTypeName;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  state: Delivery['state'];
  attempts: DeliveryAttempt[];
  /** Attempts since it was last put on its way. */
  tries: number;
}

/** What a parcel is made of. */
export type ParcelContent = Pick<
  Parcel,
  'owner_id' | 'run_id' | 'sequence' | 'hook_type' | 'url' | 'headers' | 'body'
>;

/** What goes out in order: the parcels of one run to one address. */
export function wayOf({ owner_id, run_id, url }: Parcel): string {
  return `${owner_id} ${run_id} ${url}`;
}

/** A parcel as the wire shows it. */
export function deliveryOf(parcel: Parcel): Delivery {
  const { id, message_id, run_id, hook_type, url, sequence, state, body, attempts } = parcel;
  return { id, message_id, run_id, hook_type, url, sequence, state, body, attempts: [...attempts] };
}
