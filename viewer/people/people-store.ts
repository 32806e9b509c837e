/**
 * What the People page knows: who is signed in, the users, the own tokens, the updates. Changes by
 * replacement; asks the server when the page opens and when the stream tells of users.
 */
import type { ArmClient } from '../../contract/client.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { ApiToken, Update, User } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { noticeOf } from '../link/commands.ts';

export interface PeopleView {
  /** The signed-in user; null where the server does not tell. */
  readonly me: User | null;
  readonly users: readonly User[];
  readonly tokens: readonly ApiToken[];
  /** Null before they were asked for. */
  readonly updates: readonly Update[] | null;
}

const EMPTY: PeopleView = { me: null, users: [], tokens: [], updates: null };

type Listener = (view: PeopleView, before: PeopleView) => void;

export class PeopleStore {
  private current = EMPTY;
  private readonly listeners: Listener[] = [];
  private readonly arm: ArmStore;
  private readonly calls: ArmCalls;

  constructor(arm: ArmStore, calls: ArmCalls) {
    this.arm = arm;
    this.calls = calls;
  }

  view(): PeopleView {
    return this.current;
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Runs a call; a refusal comes back as a sentence for the user. */
  async ask<Reply>(act: (client: ArmClient) => Promise<Reply>): Promise<Result<Reply, string>> {
    const outcome = await this.calls.call(act);
    return outcome.ok ? success(outcome.value) : failure(noticeOf(outcome.error).text);
  }

  /** Forgets what was known of somebody else who was signed in. */
  clear(): void {
    this.set(EMPTY);
  }

  /** Reads users and own tokens anew. */
  async refresh(): Promise<void> {
    const people = await this.ask((client) => client.listUsers());
    if (!people.ok) return;
    const { users } = people.value;
    const { user_id } = this.arm.view();
    const me = users.find(({ id }) => id === user_id) ?? null;
    this.set({ users, me });
    if (!me) return;
    const listed = await this.ask((client) => client.listTokens({ user_id: me.id }));
    if (listed.ok) this.set({ tokens: listed.value.tokens });
  }

  /** Asks for the updates that remain; resolves to a sentence when that failed. */
  async checkUpdates(): Promise<string | null> {
    const outcome = await this.ask((client) => client.checkUpdates());
    if (!outcome.ok) return outcome.error;
    this.set({ updates: outcome.value.updates });
    return null;
  }

  private set(patch: Partial<PeopleView>): void {
    const before = this.current;
    this.current = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.current, before);
  }
}
