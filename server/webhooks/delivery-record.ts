/** One webhook delivery: one body to one address. */
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryHead,
  HookTypeName,
} from '../../contract/types.generated.ts';

export interface DeliveryRecord {
  readonly id: number;
  /** Unchanged over attempts, restarts and redeliveries. */
  readonly message_id: string;
  readonly owner_id: number;
  /** Null for a test call. */
  readonly run_id: string | null;
  /** Sequence number of the event in its run. */
  readonly sequence: number;
  readonly hook_type: HookTypeName;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  state: Delivery['state'];
  /** Whether it waits behind no other: a safety event, or one that waits aside. */
  isAlone: boolean;
  attempts: DeliveryAttempt[];
}

/** The caller's part of a new delivery. */
export type DeliveryContent = Pick<
  DeliveryRecord,
  'owner_id' | 'run_id' | 'sequence' | 'hook_type' | 'url' | 'headers' | 'body'
>;

/** Names the deliveries of one run to one address. */
export function addresseeOf({
  owner_id,
  run_id,
  url,
}: Pick<DeliveryRecord, 'owner_id' | 'run_id' | 'url'>): string {
  return `${owner_id} ${run_id} ${url}`;
}

/** Returns the lane of a delivery; deliveries of one lane are sent in order. */
export function laneOf(
  delivery: Pick<DeliveryRecord, 'owner_id' | 'run_id' | 'url' | 'id' | 'isAlone'>,
): string {
  const { owner_id, run_id, url, id, isAlone } = delivery;
  return isAlone ? `${owner_id} ${run_id}#${id} ${url}` : addresseeOf(delivery);
}

/** The owner of the deliveries of a lane or an addressee. */
export function ownerOfLane(lane: string): number {
  return Number.parseInt(lane, 10);
}

/** Converts a delivery to the wire format. */
export function deliveryReply(delivery: DeliveryRecord): Delivery {
  const { id, message_id, run_id, hook_type, url, sequence, state, body, attempts } = delivery;
  return { id, message_id, run_id, hook_type, url, sequence, state, body, attempts: [...attempts] };
}

/** A delivery as an admin sees it: neither its body nor what of the address may be secret. */
export function deliveryHead(delivery: DeliveryRecord): DeliveryHead {
  const { id, run_id, hook_type, url, sequence, state, attempts } = delivery;
  const host = URL.canParse(url) ? new URL(url).host : '';
  return { id, run_id, hook_type, host, sequence, state, attempts: attempts.length };
}
