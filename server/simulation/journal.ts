/**
 * Journal of the calls to the arm's API: the latest calls with caller, SHA-256 of the body, status
 * and duration. `verify` checks whether an expected call happened and lists near misses. Calls of
 * the simulation control API are not recorded. Also: the interceptor of calls that fills it.
 */
import { limits } from '../../contract/limits.ts';
import type {
  JournalEntry,
  JournalSearchBody,
  JournalVerifyBody,
  JournalVerifyReply,
  NearMiss,
} from '../../contract/types.ts';
import { waitUnreferenced } from '../clock/clock.ts';
import type { ApplicationOptions } from '../http/application.ts';
import { pathOf, requestContextOf } from '../http/request-parts.ts';
import type { Simulation } from './simulation.ts';

type Difference = NearMiss['differs'][number];

interface ExpectedCall {
  readonly method?: string;
  readonly path?: string;
  readonly user_id?: number;
  readonly status?: number;
  readonly body_sha256?: string;
}

/** Whether a path equals the pattern, or matches the prefix of a pattern that ends in `*`. */
export function pathMatches(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
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

/**
 * Intercepts the calls to the arm's API: records each in the journal once it is answered, and
 * delays or drops replies as injected faults demand.
 */

/** Calls of the simulation control API are not recorded. */
const SIMULATION_PATH = '/sim/';

type CallInterceptor = Required<
  Pick<ApplicationOptions, 'watch' | 'beforeReply' | 'needsBodyHash'>
>;

/** Creates the interceptor; a call is recorded when its response or connection closes. */
export function createCallInterceptor({
  parts,
  journal,
  replyFaults,
}: Simulation): CallInterceptor {
  const { wall, loop } = parts.services;
  const watch: CallInterceptor['watch'] = (request, response) => {
    const { method = '' } = request;
    const path = pathOf(request.url);
    if (path.startsWith(SIMULATION_PATH)) return;
    const started_ms = wall.now_ms();
    const { tick } = loop;
    response.once('close', () => {
      const { user_id, body_sha256 } = requestContextOf(response);
      const duration_ms = wall.now_ms() - started_ms;
      const { statusCode: status } = response;
      journal.record({
        method,
        path,
        user_id,
        body_sha256,
        status,
        duration_ms,
        tick,
      });
    });
  };
  return {
    watch,
    needsBodyHash: ({ path }) => !path.startsWith(SIMULATION_PATH),
    beforeReply({ method, path }) {
      const fault = path.startsWith(SIMULATION_PATH) ? null : replyFaults.match({ method, path });
      if (fault === null) return true;
      return fault === 'drop'
        ? false
        : waitUnreferenced(wall, fault.delay_s * 1000).then(() => true);
    },
  };
}
