/**
 * What the user can do to the robot from the page. Every command takes the lock if it is free,
 * keeps it alive while this page holds it, and turns a refusal into a notice.
 */
import { limits } from '../../contract/limits.ts';
import type { Result } from '../../contract/result.ts';
import type { RunBody } from '../../contract/types.ts';
import type { ArmCalls, CallFailure } from './arm-calls.ts';
import type { ArmStore, Notice } from './arm-store.ts';

export interface Commands {
  takeLock(): Promise<boolean>;
  releaseLock(): Promise<void>;
  run(body: RunBody): Promise<void>;
  home(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Cancels; a moving arm is paused first, for only a paused motion can be cancelled. */
  cancel(): Promise<void>;
  stopLoop(): Promise<void>;
  recover(): Promise<void>;
  load(toolpathId: number): Promise<void>;
  setOutput(key: string, value: boolean): Promise<void>;
}

const TEACH_RENEW_MS = (limits.lock_expiry_teach_s * 1000) / 5;
const RENEW_MS = 60_000;

/** Details of a refusal as words; lists name their first problem. */
function detailWords(details: unknown): string {
  if (typeof details === 'string') return details;
  if (Array.isArray(details) && details.length > 0) {
    const first = details[0] as { problem?: string; error?: string };
    return first.problem ?? first.error ?? '';
  }
  return '';
}

/** A sentence for a failed call: what, then what to do; the code stands last. */
export function noticeOf(failure: CallFailure): Notice {
  if (failure.kind === 'unreachable') {
    return { text: 'The robot does not answer. Check the connection, then try again.', code: '' };
  }
  if (failure.kind === 'signed-out') return { text: 'The session has ended. Sign in.', code: '' };
  if (failure.code === 3) {
    return { text: 'Somebody else holds the lock. Wait until it is free.', code: 'code 3' };
  }
  const words = detailWords(failure.details);
  const title = failure.title.replace(/^ERROR_WRONG_STATE$/, 'The robot is in another state');
  const text = words ? `${title}: ${words}` : title;
  return { text: text.endsWith('.') ? text : `${text}.`, code: `code ${failure.code}` };
}

type Outcome = Result<unknown, CallFailure>;

export function createCommands(store: ArmStore, calls: ArmCalls): Commands {
  let renewed_ms = 0;

  function tell(outcome: Outcome): boolean {
    if (!outcome.ok) store.set({ notice: noticeOf(outcome.error) });
    else if (store.view().notice) store.set({ notice: null });
    return outcome.ok;
  }

  async function takeLock(): Promise<boolean> {
    const { lock, lockTakenHere } = store.view();
    if (lock?.owner === 'you' && lockTakenHere) return true;
    const mine = lock?.owner === 'you';
    const outcome = await calls.call((client) => (mine ? client.renewLock() : client.takeLock()));
    if (!tell(outcome) || !outcome.ok) return false;
    renewed_ms = performance.now();
    store.set({ lock: outcome.value, lockTakenHere: true });
    return true;
  }

  async function locked(act: () => Promise<Outcome>): Promise<boolean> {
    return (await takeLock()) && tell(await act());
  }

  async function renew(): Promise<void> {
    const { lockTakenHere, snapshot } = store.view();
    if (!lockTakenHere) return;
    const teach = snapshot?.control.run_mode === 'teach';
    const now_ms = performance.now();
    if (now_ms - renewed_ms < (teach ? TEACH_RENEW_MS : RENEW_MS)) return;
    renewed_ms = now_ms;
    const outcome = await calls.call((client) => client.renewLock());
    if (!outcome.ok && outcome.error.kind === 'refused') store.set({ lockTakenHere: false });
  }
  setInterval(() => void renew(), TEACH_RENEW_MS / 2);

  async function cancel(): Promise<void> {
    if (!(await takeLock())) return;
    if (store.view().snapshot?.control.state !== 'paused') {
      if (!tell(await calls.call((client) => client.pause()))) return;
    }
    tell(await calls.call((client) => client.cancel()));
  }

  async function recover(): Promise<void> {
    const hit = store.view().snapshot?.control.state === 'collision';
    await locked(() =>
      calls.call((client) => (hit ? client.acknowledgeCollision() : client.resetErrors())),
    );
  }

  return {
    takeLock,
    async releaseLock() {
      const outcome = await calls.call((client) => client.releaseLock());
      if (tell(outcome) && outcome.ok) store.set({ lock: outcome.value, lockTakenHere: false });
    },
    run: async (body) => void (await locked(() => calls.call((client) => client.run(body)))),
    home: async () => void (await locked(() => calls.call((client) => client.home()))),
    pause: async () => void (await locked(() => calls.call((client) => client.pause()))),
    resume: async () => void (await locked(() => calls.call((client) => client.resume()))),
    cancel,
    stopLoop: async () => void (await locked(() => calls.call((client) => client.stopLoop()))),
    recover,
    load: async (toolpathId) =>
      void (await locked(() =>
        calls.call((client) => client.useToolpath({ toolpath_id: toolpathId })),
      )),
    setOutput: async (key, value) => {
      const body = { changes: [{ key: `outputs.${key}`, value }] };
      await locked(() => calls.call((client) => client.changeGlobals(body)));
    },
  };
}
