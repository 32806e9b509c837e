/**
 * What was asked of the arm: the latest calls with who asked, a fingerprint of the body, status and
 * duration; and whether an expected call is among them, with what came close when it is not. The
 * hand on the twin itself leaves no trace here.
 */
import { limits } from '../../contract/limits.ts';
import type {
  JournalEntry,
  JournalSearchBody,
  JournalVerifyBody,
  JournalVerifyReply,
  NearMiss,
} from '../../contract/types.ts';

type Difference = NearMiss['differs'][number];

interface Wanted {
  readonly method?: string;
  readonly path?: string;
  readonly user_id?: number;
  readonly status?: number;
  readonly body_sha256?: string;
}

/** Whether a path is the wanted one, or begins like one that ends in a star. */
export function pathFits(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

function differences(entry: JournalEntry, wanted: Wanted): Difference[] {
  const differs: Difference[] = [];
  const { method, path, user_id, status, body_sha256 } = wanted;
  if (method !== undefined && entry.method !== method) differs.push('method');
  if (path !== undefined && !pathFits(entry.path, path)) differs.push('path');
  if (user_id !== undefined && entry.user_id !== user_id) differs.push('user_id');
  if (status !== undefined && entry.status !== status) differs.push('status');
  if (body_sha256 !== undefined && entry.body_sha256 !== body_sha256) differs.push('body');
  return differs;
}

export class Journal {
  private entries: JournalEntry[] = [];
  private count = 0;

  /** Notes a call; the oldest makes room. */
  note(entry: Omit<JournalEntry, 'id'>): void {
    this.entries.push({ id: ++this.count, ...entry });
    if (this.entries.length > limits.journal_entries) this.entries.shift();
  }

  /** Calls that made room for newer ones. */
  get lost(): number {
    return this.count - this.entries.length;
  }

  /** The latest calls that have this in common, oldest first. */
  search({ limit = limits.journal_entries, ...wanted }: JournalSearchBody): JournalEntry[] {
    const found = this.entries.filter((entry) => differences(entry, wanted).length === 0);
    return found.slice(-limit);
  }

  /** Whether an expected call happened; `body_sha256` is the fingerprint of its body. */
  verify(
    { method, path, user_id, status, times }: JournalVerifyBody,
    body_sha256: string | undefined,
  ): JournalVerifyReply {
    const wanted = {
      method,
      path,
      ...(user_id === undefined ? {} : { user_id }),
      ...(status === undefined ? {} : { status }),
      ...(body_sha256 === undefined ? {} : { body_sha256 }),
    };
    const judged = this.entries.map((entry) => ({ entry, differs: differences(entry, wanted) }));
    const matched = judged.filter(({ differs }) => differs.length === 0).length;
    const holds = times === undefined ? matched > 0 : matched === times;
    const near = judged.filter(({ differs }) => differs.length > 0);
    near.sort((a, b) => a.differs.length - b.differs.length || b.entry.id - a.entry.id);
    return { holds, matched, near_misses: holds ? [] : near.slice(0, limits.near_misses) };
  }

  clear(): void {
    this.entries = [];
    this.count = 0;
  }
}
