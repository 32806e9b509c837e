/**
 * What the user can do to the robot from the page. Every command takes the lock if it is free,
 * keeps it alive while this page holds it, and turns a refusal into a notice.
 */
import type { ArmClient } from '../../contract/client.ts';
import { limits } from '../../contract/limits.ts';
import type { Result } from '../../contract/result.ts';
import type { GoToBody, RunBody } from '../../contract/types.ts';
import type { ArmCalls, CallFailure } from './arm-calls.ts';
import type { ArmStore, ArmView, Notice } from './arm-store.ts';

export interface Commands {
  takeLock(): Promise<boolean>;
  releaseLock(): Promise<void>;
  run(body: RunBody): Promise<void>;
  home(): Promise<void>;
  /** Starts a straight joint motion; false when it was refused. */
  goTo(body: GoToBody): Promise<boolean>;
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
/** However fast the twin's time, the page asks no more often than this. */
const RENEW_LEAST_MS = 50;

/** After how long (ms) the lock is renewed: a lock lapses on the twin's time, which may be fast. */
export function renewalPeriod_ms({ snapshot, sim, clock }: ArmView): number {
  const pace = sim?.clock.pace === 'max' ? sim.clock.real_time_factor : (sim?.clock.pace ?? clock);
  const haste = Math.max(Number(pace) || 1, 1);
  const period_ms = snapshot?.control.run_mode === 'teach' ? TEACH_RENEW_MS : RENEW_MS;
  return Math.max(period_ms / haste, RENEW_LEAST_MS);
}

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

class LockedCommands implements Commands {
  private readonly store: ArmStore;
  private readonly calls: ArmCalls;
  private renewed_ms = 0;
  private readonly acting = new Map<string, Promise<boolean>>();

  constructor(store: ArmStore, calls: ArmCalls) {
    this.store = store;
    this.calls = calls;
    this.watchLock();
  }

  takeLock(): Promise<boolean> {
    return this.once('take', () => this.take());
  }

  private async take(): Promise<boolean> {
    const { lock, lockTakenHere } = this.store.view();
    const mine = lock?.owner === 'you';
    if (mine && lockTakenHere) return true;
    const outcome = await this.calls.call((client) =>
      mine ? client.renewLock() : client.takeLock(),
    );
    if (!this.tell(outcome) || !outcome.ok) return false;
    this.renewed_ms = performance.now();
    this.store.set({ lock: outcome.value, lockTakenHere: true });
    return true;
  }

  async releaseLock(): Promise<void> {
    await this.once('release', async () => {
      const outcome = await this.calls.call((client) => client.releaseLock());
      if (this.tell(outcome) && outcome.ok) {
        this.store.set({ lock: outcome.value, lockTakenHere: false });
      }
      return outcome.ok;
    });
  }

  run(body: RunBody): Promise<void> {
    return this.locked((client) => client.run(body));
  }

  home(): Promise<void> {
    return this.locked((client) => client.home());
  }

  async goTo(body: GoToBody): Promise<boolean> {
    if (!(await this.takeLock())) return false;
    return this.tell(await this.calls.call((client) => client.goTo(body)));
  }

  pause(): Promise<void> {
    return this.locked((client) => client.pause());
  }

  resume(): Promise<void> {
    return this.locked((client) => client.resume());
  }

  async cancel(): Promise<void> {
    if (!(await this.takeLock())) return;
    if (this.store.view().snapshot?.control.state !== 'paused') {
      if (!this.tell(await this.calls.call((client) => client.pause()))) return;
    }
    this.tell(await this.calls.call((client) => client.cancel()));
  }

  stopLoop(): Promise<void> {
    return this.locked((client) => client.stopLoop());
  }

  recover(): Promise<void> {
    const hit = this.store.view().snapshot?.control.state === 'collision';
    return this.locked((client) => (hit ? client.acknowledgeCollision() : client.resetErrors()));
  }

  load(toolpathId: number): Promise<void> {
    return this.locked((client) => client.useToolpath({ toolpath_id: toolpathId }));
  }

  setOutput(key: string, value: boolean): Promise<void> {
    const body = { changes: [{ key: `outputs.${key}`, value }] };
    return this.locked((client) => client.changeGlobals(body));
  }

  /** Asked again while it is under way, it is the same act: the arm would refuse the second. */
  private once(act: 'take' | 'release', run: () => Promise<boolean>): Promise<boolean> {
    const under = this.acting.get(act) ?? run().finally(() => this.acting.delete(act));
    this.acting.set(act, under);
    return under;
  }

  private tell(outcome: Result<unknown, CallFailure>): boolean {
    if (!outcome.ok) this.store.set({ notice: noticeOf(outcome.error) });
    else if (this.store.view().notice) this.store.set({ notice: null });
    return outcome.ok;
  }

  private async locked(act: (client: ArmClient) => Promise<unknown>): Promise<void> {
    if (await this.takeLock()) this.tell(await this.calls.call(act));
  }

  /** Looks twice within the shortest renewal whether one is due. */
  private watchLock(): void {
    void this.renew();
    const period_ms = Math.min(renewalPeriod_ms(this.store.view()), TEACH_RENEW_MS);
    setTimeout(() => this.watchLock(), period_ms / 2);
  }

  private async renew(): Promise<void> {
    const view = this.store.view();
    if (!view.lockTakenHere) return;
    const now_ms = performance.now();
    if (now_ms - this.renewed_ms < renewalPeriod_ms(view)) return;
    this.renewed_ms = now_ms;
    const outcome = await this.calls.call((client) => client.renewLock());
    if (!outcome.ok && outcome.error.kind === 'refused') this.store.set({ lockTakenHere: false });
  }
}

/** Commands on the robot behind `calls`; what goes wrong shows in the store's notice. */
export function createCommands(store: ArmStore, calls: ArmCalls): Commands {
  return new LockedCommands(store, calls);
}
