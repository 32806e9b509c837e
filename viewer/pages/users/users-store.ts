/**
 * State of the Users page: the signed-in user, all users, the user's own tokens, the updates. The
 * page refreshes it when it opens and when the event stream reports a change of users.
 */

import type { ArmClient } from '../../../contract/client.ts';
import { failure, type Result, success } from '../../../contract/result.ts';
import type {
  ApiToken,
  RunHead,
  ShareUsage,
  Update,
  User,
} from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import { failureNotice } from '../../link/failure-notice.ts';
import { reuseIfEqual } from '../../link/reuse-if-equal.ts';

/** A run that is on, and whose it is. */
export interface OwnedRun {
  readonly run: RunHead;
  readonly email: string;
}

export interface UsersView {
  /** Whether the users have been read since the sign-in: before that nothing is known of them. */
  readonly isRead: boolean;
  /** The signed-in user; null if the server does not report it. */
  readonly me: User | null;
  readonly users: readonly User[];
  readonly tokens: readonly ApiToken[];
  /** Null before the first check. */
  readonly updates: readonly Update[] | null;
  /** What all users use; null for users who are no admins, and where the arm does not report it. */
  readonly usage: readonly ShareUsage[] | null;
  /** The runs of all users that are on, for admins. */
  readonly runs: readonly OwnedRun[];
}

const EMPTY: UsersView = {
  ...{ isRead: false, me: null, users: [], tokens: [], updates: null },
  ...{ usage: null, runs: [] },
};

type Listener = (view: UsersView, before: UsersView) => void;

export class UsersStore {
  private current = EMPTY;
  private readonly listeners: Listener[] = [];
  private readonly arm: ArmStore;
  private readonly calls: ArmCalls;

  constructor(arm: ArmStore, calls: ArmCalls) {
    this.arm = arm;
    this.calls = calls;
  }

  view(): UsersView {
    return this.current;
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Runs a call; the error is a message for the user. */
  async call<Reply>(action: (client: ArmClient) => Promise<Reply>): Promise<Result<Reply, string>> {
    const outcome = await this.calls.call(action);
    return outcome.ok ? success(outcome.value) : failure(failureNotice(outcome.error).text);
  }

  /** Clears the data of the previous user. */
  clear(): void {
    this.set(EMPTY);
  }

  /**
   * Reads the users and the user's own tokens; for an admin also what users use, and their runs. All
   * is drawn again, as after an edit that was
   * refused, or only what has changed.
   */
  async refresh({ onlyChanges = false } = {}): Promise<void> {
    const known = <Value>(before: Value, now: Value) =>
      onlyChanges ? reuseIfEqual(before, now) : now;
    const listing = await this.call((client) => client.listUsers());
    if (!listing.ok) return;
    const users = known(this.current.users, listing.value.users);
    const { user_id } = this.arm.view();
    const me = users.find(({ id }) => id === user_id) ?? null;
    this.set({ isRead: true, users, me });
    if (!me) return;
    const reply = await this.call((client) => client.listTokens({ user_id: me.id }));
    if (reply.ok) this.set({ tokens: known(this.current.tokens, reply.value.tokens) });
    if (me.role !== 'admin') {
      this.set({ usage: null, runs: [] });
      return;
    }
    const used = await this.call((client) => client.getUsage());
    const usage = used.ok ? used.value.usage : null;
    const runs = await this.runsOf(usage ?? [], users);
    this.set({ usage: known(this.current.usage, usage), runs: known(this.current.runs, runs) });
  }

  /** The runs that are on, of all who have some. */
  private async runsOf(
    usage: readonly ShareUsage[],
    users: readonly User[],
  ): Promise<readonly OwnedRun[]> {
    const owners = usage.find(({ share }) => share === 'live_runs')?.owners ?? [];
    const lists = owners.map(async ({ user_id }): Promise<readonly OwnedRun[]> => {
      if (user_id === null) return [];
      const email = users.find(({ id }) => id === user_id)?.email ?? `User ${user_id}`;
      const reply = await this.call((client) => client.listRunsOfUser({ user_id }));
      const heads = reply.ok ? reply.value.runs : [];
      return heads.filter(({ state }) => state !== 'stopped').map((run) => ({ run, email }));
    });
    return (await Promise.all(lists)).flat();
  }

  /** Reads the available updates; resolves to an error message, or null on success. */
  async checkUpdates(): Promise<string | null> {
    const outcome = await this.call((client) => client.checkUpdates());
    if (!outcome.ok) return outcome.error;
    this.set({ updates: outcome.value.updates });
    return null;
  }

  private set(patch: Partial<UsersView>): void {
    const before = this.current;
    this.current = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.current, before);
  }
}
