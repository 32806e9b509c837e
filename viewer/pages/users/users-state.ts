/** What the Users page knows of users, tokens, updates, and what users use. */
import { computed, signal } from '@preact/signals';
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
import { failureNotice } from '../../link/failure-notice.ts';
import type { Message } from '../../ui/form.tsx';

/** A run that is on, and whose it is. */
export interface OwnedRun {
  readonly run: RunHead;
  readonly email: string;
}

export class UsersState {
  /** All users; null until they have been read since the sign-in. */
  readonly users = signal<readonly User[] | null>(null);
  /** The id of the signed-in user. */
  readonly userId = signal<number | null>(null);
  /** The signed-in user; null if the server does not report it. */
  readonly me = computed(
    () => this.users.value?.find(({ id }) => id === this.userId.value) ?? null,
  );
  readonly isAdmin = computed(() => this.me.value?.role === 'admin');
  /** The tokens of the signed-in user. */
  readonly tokens = signal<readonly ApiToken[]>([]);
  /** Null before the first check. */
  readonly updates = signal<readonly Update[] | null>(null);
  /** What all users use; null for users who are no admins, and where the arm does not report it. */
  readonly usage = signal<readonly ShareUsage[] | null>(null);
  /** The runs of all users that are on, for admins. */
  readonly runs = signal<readonly OwnedRun[]>([]);
  private readonly calls: ArmCalls;

  constructor(calls: ArmCalls) {
    this.calls = calls;
  }

  /** Runs a call; the error is a message for the user. */
  async call<Reply>(action: (client: ArmClient) => Promise<Reply>): Promise<Result<Reply, string>> {
    const outcome = await this.calls.call(action);
    return outcome.ok ? success(outcome.value) : failure(failureNotice(outcome.error).text);
  }

  /** Runs a call that changes something, and reads all again; says `done` once it has succeeded. */
  async change(action: (client: ArmClient) => Promise<unknown>, done: string): Promise<Message> {
    const outcome = await this.call(action);
    void this.refresh();
    return outcome.ok ? success(done) : outcome;
  }

  /** Forgets the data of the previous user. */
  clear(): void {
    this.users.value = null;
    this.tokens.value = [];
    this.updates.value = null;
    this.usage.value = null;
    this.runs.value = [];
  }

  /** Reads the users and the user's own tokens; for an admin also what users use, and their runs. */
  async refresh(): Promise<void> {
    const listing = await this.call((client) => client.listUsers());
    if (!listing.ok) return;
    const { users } = listing.value;
    this.users.value = users;
    const me = this.me.value;
    if (!me) return;
    const reply = await this.call((client) => client.listTokens({ user_id: me.id }));
    if (reply.ok) this.tokens.value = reply.value.tokens;
    const used = me.role === 'admin' ? await this.call((client) => client.getUsage()) : null;
    const usage = used?.ok ? used.value.usage : null;
    this.usage.value = usage;
    this.runs.value = await this.runsOf(usage ?? [], users);
  }

  /** Reads the available updates. */
  async checkUpdates(): Promise<Message> {
    const outcome = await this.call((client) => client.checkUpdates());
    if (!outcome.ok) return outcome;
    const { updates } = outcome.value;
    this.updates.value = updates;
    return success(updates.length === 0 ? 'The software is up to date.' : '');
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
}

/** What the panels of the page draw. */
export interface UsersProps {
  readonly state: UsersState;
}
