/** Failed calls as messages to the user. */

import type { ArmStore } from './arm-store.ts';
import type { Notice } from './arm-view.ts';
import type { CallFailure } from './call-failure.ts';

/** A notice that a chunk could not be loaded, as after an update of the server. */
export function loadFailedNotice(what: string): Notice {
  const text = `${what} could not be loaded from the server. Reload the page, then try again.`;
  return { text, code: '' };
}

/** The details of a refusal as text: all reasons, or the first problem of a list. */
function detailText(details: unknown): string {
  if (typeof details === 'string') return details;
  const [first]: readonly unknown[] = Array.isArray(details) ? details : [details];
  const { problem, error, reasons }: Partial<Record<string, unknown>> = Object(first);
  if (Array.isArray(reasons)) return reasons.join('; ');
  const said = problem ?? error;
  return typeof said === 'string' ? said : '';
}

/** Title of the refusal of a call that needs the lock, which has ended meanwhile. */
const LOCK_NOT_HELD = "you don't own the robot lock";

export const UNREACHABLE: Notice = {
  text: 'The robot does not respond. Check the connection, then try again.',
  code: '',
};

/** A notice for a failed call: what failed, what to do, and the error code. */
export function failureNotice(failure: CallFailure): Notice {
  if (failure.kind === 'unreachable') return UNREACHABLE;
  if (failure.kind === 'signed-out') return { text: 'The session has ended. Sign in.', code: '' };
  if (failure.title === '') {
    const text = 'The server refused the request without a reason. Wait a moment, then try again.';
    return { text, code: `HTTP ${failure.status}` };
  }
  if (failure.title === LOCK_NOT_HELD) {
    return {
      text: 'This page no longer holds the lock. Acquire it, then try again.',
      code: 'code 3',
    };
  }
  if (failure.code === 3) {
    return { text: 'The lock is held elsewhere. Wait until it is free.', code: 'code 3' };
  }
  const details = detailText(failure.details);
  const title = failure.title.replace(/^ERROR_WRONG_STATE$/, 'The robot is in another state');
  const text = details ? `${title}: ${details}` : title;
  return { text: text.endsWith('.') ? text : `${text}.`, code: `code ${failure.code}` };
}

/** All sentences of a refusal; an infeasible plan has several. */
export function refusalText(refused: CallFailure): string {
  const list = refused.kind === 'refused' && Array.isArray(refused.details) ? refused.details : [];
  const sentences = list.flatMap((one) => {
    const { path, problem } = one as { path?: string; problem?: string };
    return problem ? [path ? `${path} ${problem}` : problem] : [];
  });
  return sentences.length > 1 ? `${sentences.join('. ')}.` : failureNotice(refused).text;
}

/** Shows what is wrong with a file as a notice. */
export function problemNotice(arm: ArmStore): (text: string) => void {
  return (text) => arm.set({ notice: { text, code: '' } });
}
