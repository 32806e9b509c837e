/**
 * The robot commands of the page. Every command acquires the lock if it is free. The lock is
 * renewed while this page holds it. A failed command becomes a notice.
 */

import type { ArmClient } from '../../contract/client.ts';
import { limits } from '../../contract/limits.ts';
import type { Result } from '../../contract/result.ts';
import type { GoToBody, RunBody } from '../../contract/types.generated.ts';
import type { ArmCalls } from './arm-calls.ts';
import { type ArmStore, onBack } from './arm-store.ts';
import type { ArmView, Notice } from './arm-view.ts';
import type { CallFailure } from './call-failure.ts';
import { failureNotice, UNREACHABLE } from './failure-notice.ts';

const TEACH_RENEW_MS = (limits.lock_expiry_teach_s * 1000) / 5;
const RENEW_MS = 60_000;
/** Shortest renewal period, for fast clocks. */
const RENEW_MIN_MS = 50;

/** Period (ms) of lock renewals. Locks expire in twin time, which may run faster. */
export function renewalPeriod_ms({ snapshot, sim, clock }: ArmView): number {
  const pace = sim?.clock.pace === 'max' ? sim.clock.real_time_factor : (sim?.clock.pace ?? clock);
  const speedup = Math.max(Number(pace) || 1, 1);
  const period_ms = snapshot?.control.run_mode === 'teach' ? TEACH_RENEW_MS : RENEW_MS;
  return Math.max(period_ms / speedup, RENEW_MIN_MS);
}
const UNANSWERED: Notice = {
  text: 'The robot did not answer a call and may not have done it. It responds again: try again.',
  code: '',
};

/** The commands of the arm, under its lock; failures are shown in the store's notice. */
export class Commands {
  private readonly store: ArmStore;
  private readonly calls: ArmCalls;
  private renewed_ms = 0;
  private readonly pending = new Map<string, Promise<boolean>>();

  constructor(store: ArmStore, calls: ArmCalls) {
    this.store = store;
    this.calls = calls;
    // No notice says that the robot does not respond once data arrive again.
    onBack(store, () => {
      if (store.view().notice === UNREACHABLE) store.set({ notice: UNANSWERED });
    });
    this.scheduleRenewal();
  }

  acquireLock(): Promise<boolean> {
    return this.runOnce('acquire', () => this.acquire());
  }

  private async acquire(): Promise<boolean> {
    const { lock, lockHeldHere } = this.store.view();
    const own = lock?.owner === 'you';
    if (own && lockHeldHere) return true;
    const outcome = await this.calls.call((client) =>
      own ? client.renewLock() : client.takeLock(),
    );
    if (!this.report(outcome) || !outcome.ok) return false;
    this.renewed_ms = performance.now();
    this.store.set({ lock: outcome.value, lockHeldHere: true });
    return true;
  }

  async releaseLock(): Promise<void> {
    await this.runOnce('release', async () => {
      const outcome = await this.calls.call((client) => client.releaseLock());
      if (this.report(outcome) && outcome.ok) {
        this.store.set({ lock: outcome.value, lockHeldHere: false });
      }
      return outcome.ok;
    });
  }

  run(body: RunBody): Promise<void> {
    return this.runLocked((client) => client.run(body));
  }

  home(): Promise<void> {
    return this.runLocked((client) => client.home());
  }

  /** Starts a joint-space motion; false if it was refused. */
  async goTo(body: GoToBody): Promise<boolean> {
    if (!(await this.acquireLock())) return false;
    return this.report(await this.calls.call((client) => client.goTo(body)));
  }

  pause(): Promise<void> {
    return this.runLocked((client) => client.pause());
  }

  resume(): Promise<void> {
    return this.runLocked((client) => client.resume());
  }

  /** Cancels the motion; pauses it first, because only a paused motion can be cancelled. */
  async cancel(): Promise<void> {
    if (!(await this.acquireLock())) return;
    if (this.store.view().snapshot?.control.state !== 'paused') {
      if (!this.report(await this.calls.call((client) => client.pause()))) return;
    }
    this.report(await this.calls.call((client) => client.cancel()));
  }

  stopLoop(): Promise<void> {
    return this.runLocked((client) => client.stopLoop());
  }

  recover(): Promise<void> {
    const collided = this.store.view().snapshot?.control.state === 'collision';
    return this.runLocked((client) =>
      collided ? client.acknowledgeCollision() : client.resetErrors(),
    );
  }

  load(toolpathId: number): Promise<void> {
    return this.runLocked((client) => client.useToolpath({ toolpath_id: toolpathId }));
  }

  setOutput(key: string, value: boolean): Promise<void> {
    const body = { changes: [{ key: `outputs.${key}`, value }] };
    return this.runLocked((client) => client.changeGlobals(body));
  }

  /** Returns the pending call if there is one: the server would refuse a second. */
  private runOnce(command: 'acquire' | 'release', run: () => Promise<boolean>): Promise<boolean> {
    const pending = this.pending.get(command) ?? run().finally(() => this.pending.delete(command));
    this.pending.set(command, pending);
    return pending;
  }

  /** Shows the failure of a call as a notice; returns whether the call succeeded. */
  private report(outcome: Result<unknown, CallFailure>): boolean {
    if (!outcome.ok) this.store.set({ notice: failureNotice(outcome.error) });
    else if (this.store.view().notice) this.store.set({ notice: null });
    return outcome.ok;
  }

  private async runLocked(action: (client: ArmClient) => Promise<unknown>): Promise<void> {
    if (await this.acquireLock()) this.report(await this.calls.call(action));
  }

  /** Checks twice per renewal period whether a renewal is due. */
  private scheduleRenewal(): void {
    void this.renew();
    const period_ms = Math.min(renewalPeriod_ms(this.store.view()), TEACH_RENEW_MS);
    setTimeout(() => this.scheduleRenewal(), period_ms / 2);
  }

  private async renew(): Promise<void> {
    const view = this.store.view();
    if (!view.lockHeldHere) return;
    const now_ms = performance.now();
    if (now_ms - this.renewed_ms < renewalPeriod_ms(view)) return;
    this.renewed_ms = now_ms;
    const outcome = await this.calls.call((client) => client.renewLock());
    if (!outcome.ok && outcome.error.kind === 'refused') this.store.set({ lockHeldHere: false });
  }
}
