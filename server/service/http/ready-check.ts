import type { ServerResponse } from 'node:http';
import { refuse } from '../../../contract/refusal.ts';
import { sendRefusal } from './error-response.ts';

/** Refuses a call and returns false before the arm is ready. */
export function passesReadyCheck(
  options: { notReady(): string | null },
  response: ServerResponse,
): boolean {
  const reason = options.notReady();
  if (reason !== null) sendRefusal(response, refuse('not_ready', { reasons: [reason] }));
  return reason === null;
}
