/** Signed deliveries of events, for the tests of receivers. */
import { Webhook } from 'standardwebhooks';
import type { RunEvent } from './types.generated.ts';

export const SECRET = `whsec_${btoa('a secret of thirty-two bytes....')}`;
export const OTHER = `whsec_${btoa('another secret of this length...')}`;
export const NOW_MS = 1_800_000_000_000;

/** An event of a run, as its log has it. */
export function eventOf(
  sequence: number,
  hook_type: RunEvent['hook_type'] = 'NewPlanHook',
): RunEvent {
  const body = { run_id: '7', timestamp: '2026-01-01T00:00:00.000Z', remaining_worktime: 1 };
  return { sequence, hook_type, body } as RunEvent;
}

/** The delivery of an event, as another implementation signs it. */
export function signed(event: RunEvent, secret = SECRET, at_ms = NOW_MS) {
  const body = JSON.stringify(event.body);
  const headers: Record<string, string> = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at_ms / 1000),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(at_ms), body),
    'x-hook-type': event.hook_type,
    'x-hook-attempt': '2',
    'x-hook-sequence': String(event.sequence),
  };
  return { headers, body };
}

export const options = { secrets: [SECRET], now_ms: NOW_MS };

/** A value that the types do not allow. */
export const wrong = (value: unknown) => value as never;
