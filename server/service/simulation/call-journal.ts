import { limits } from '../../../contract/limits.ts';
import type {
  JournalEntry,
  JournalSearchBody,
  JournalVerifyBody,
  JournalVerifyReply,
  NearMiss,
} from '../../../contract/types.generated.ts';
import { pathMatches } from './path-pattern.ts';

type Difference = NearMiss['differs'][number];

interface ExpectedCall {
  readonly method?: string;
  readonly path?: string;
  readonly user_id?: number;
  readonly status?: number;
  readonly body_sha256?: string;
}

function differences(entry: JournalEntry, wanted: ExpectedCall): Difference[] {
  const differs: Difference[] = [];
  const { method, path, user_id, status, body_sha256 } = wanted;
  if (method !== undefined && entry.method !== method) differs.push('method');
  if (path !== undefined && !pathMatches(entry.path, path)) differs.push('path');
  if (user_id !== undefined && entry.user_id !== user_id) differs.push('user_id');
  if (status !== undefined && entry.status !== status) differs.push('status');
  if (body_sha256 !== undefined && entry.body_sha256 !== body_sha256) differs.push('body');
  return differs;
}

/**
 * Journal of the calls to the arm's API: the latest calls with caller, SHA-256 of the body, status
 * and duration. `verify` checks whether an expected call happened and lists near misses. Calls of
 * the simulation control API are not recorded.
 */
export class Journal {
  private entries: JournalEntry[] = [];
  private count = 0;

  /** Records a call; drops the oldest beyond the limit. */
  record(entry: Omit<JournalEntry, 'id'>): void {
    this.entries.push({ id: ++this.count, ...entry });
    if (this.entries.length > limits.journal_entries) this.entries.shift();
  }

  /** Number of dropped calls. */
  get lost(): number {
    return this.count - this.entries.length;
  }

  /** The latest calls that match all given fields, oldest first. */
  search({ limit = limits.journal_entries, ...wanted }: JournalSearchBody): JournalEntry[] {
    const found = this.entries.filter((entry) => differences(entry, wanted).length === 0);
    return found.slice(-limit);
  }

  /** Checks whether an expected call happened; `body_sha256` is the SHA-256 of its body. */
  verify(
    { method, path, user_id, status, times }: Omit<JournalVerifyBody, 'body'>,
    body_sha256: string | undefined,
  ): JournalVerifyReply {
    const wanted = {
      method,
      path,
      ...(user_id === undefined ? {} : { user_id }),
      ...(status === undefined ? {} : { status }),
      ...(body_sha256 === undefined ? {} : { body_sha256 }),
    };
    const compared = this.entries.map((entry) => ({ entry, differs: differences(entry, wanted) }));
    const matched = compared.filter(({ differs }) => differs.length === 0).length;
    const holds = times === undefined ? matched > 0 : matched === times;
    const near = compared.filter(({ differs }) => differs.length > 0);
    near.sort((a, b) => a.differs.length - b.differs.length || b.entry.id - a.entry.id);
    return { holds, matched, near_misses: holds ? [] : near.slice(0, limits.near_misses) };
  }

  clear(): void {
    this.entries = [];
    this.count = 0;
  }
}
