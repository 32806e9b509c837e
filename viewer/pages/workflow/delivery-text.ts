/** Webhook deliveries as text: the hook, the status, and the body. Pure. */
import { HOOK_TYPES } from '../../../contract/hooks/hook-types.ts';
import type { Delivery } from '../../../contract/types.generated.ts';
import type { StrokeName } from '../../ui/icon.ts';
import { timeOfDayText } from '../../ui/value-text.ts';
import { statesItself } from './run-figures.ts';

export interface DeliveryStatus {
  readonly text: string;
  readonly icon: StrokeName;
  readonly tone: 'run' | 'warn' | 'fault';
}

/** Display name of a hook type. */
export function hookText(type: Delivery['hook_type']): string {
  return HOOK_TYPES[type].title;
}

/** Ids that are named, and reasons that are given, before the others are counted. */
const NAMED = 3;

/** "fill_1, fill_2, fill_3 and 99 more". */
export function idsText(ids: readonly string[]): string {
  const more = ids.length - NAMED;
  const named = ids.slice(0, NAMED).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

export function reasonsText(reasons: readonly string[]): string {
  const more = reasons.length - NAMED;
  const given = reasons.slice(0, NAMED).join('; ');
  return more > 0 ? `${given}; and ${more} more reasons` : given;
}

/** The delivery that is sent before this one: one at a time goes from a run to an address. */
function sentBefore(one: Delivery, all: readonly Delivery[]): Delivery | undefined {
  if (one.state !== 'pending' || one.attempts.length > 0) return undefined;
  const pending = all.filter(
    ({ state, url, run_id }) => state === 'pending' && url === one.url && run_id === one.run_id,
  );
  const first = pending.reduce((least, next) => (next.id < least.id ? next : least), one);
  return first === one ? undefined : first;
}

/** Status of a delivery among `all` as text, icon and tone. */
export function deliveryStatus(one: Delivery, all: readonly Delivery[] = []): DeliveryStatus {
  const { state, attempts } = one;
  const before = sentBefore(one, all);
  if (before) return { text: `Waits for delivery ${before.id}`, icon: 'pause', tone: 'warn' };
  const status = attempts.at(-1)?.status;
  if (state === 'delivered') return { text: 'Delivered', icon: 'done', tone: 'run' };
  if (state === 'pending') {
    const text = attempts.length === 0 ? 'Sending' : 'Retrying';
    return { text, icon: 'retry', tone: 'warn' };
  }
  const why = status ? `, ${status}` : '';
  const text = state === 'disabled' ? `Disabled${why}` : `Dead${why}`;
  return { text, icon: 'close', tone: 'fault' };
}

export type Body = Readonly<Record<string, unknown>>;

/** Summary of a delivery's body. */
export function bodyText(body: Body): string {
  const say = (key: string) => (typeof body[key] === 'string' ? (body[key] as string) : '');
  if (typeof body['remaining_worktime'] === 'number') {
    return `${Math.ceil(body['remaining_worktime'] / 60)} min of work left`;
  }
  const what = say('task_id') || say('labware_id');
  const [state, why] = [say('state'), say('error') || say('message')];
  const isSaid = statesItself(why, state);
  const known = [what, isSaid ? '' : state].filter(Boolean).join(' ');
  return [known, why].filter(Boolean).join(known !== '' && isSaid ? ' ' : ': ');
}

/** Parses a delivered body; empty if it is not a JSON object. */
export function bodyOf(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Body) : {};
  } catch {
    return {};
  }
}

export function timeText(body: Body): string {
  const { timestamp } = body;
  return typeof timestamp === 'string' ? timeOfDayText(new Date(timestamp)).slice(0, 8) : '';
}

/** A delivered body, indented if it is JSON. */
export function bodyLines(text: string): string {
  const value = bodyOf(text);
  return Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : text;
}

/** The curl command that sends a body; quotes are escaped for the shell. */
export function curlText({ url, body }: Pick<Delivery, 'url' | 'body'>): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const header = quoted('Content-Type: application/json');
  return `curl -X POST -H ${header} --data-binary ${quoted(body)} -- ${quoted(url)}`;
}
