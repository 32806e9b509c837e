/**
 * The calls that the twin refuses while a command runs. Many clients show the status of a reply
 * alone, such as Python's urllib, or nothing; the reason is in the body.
 */
import type { ErrorReply } from '../../../contract/errors.ts';
import type { Problem } from '../../../contract/problem.ts';
import { REFUSALS, type RefusedCall } from '../../service/http/error-response.ts';
import { printable } from '../printable.ts';

/** Kinds of refused calls that the summary of a failed command lists. */
const LISTED = 5;
/** Kinds that are counted apart; further ones count as one of them. */
const KINDS_MAX = 100;

/** A reason of a refusal, in a sentence. */
function reasonOf({ title, details }: ErrorReply['error']): string {
  if (details === null) return title;
  if (typeof details === 'string') return `${title}: ${details}`;
  if (!Array.isArray(details)) return `${title}: ${JSON.stringify(details)}`;
  const problems = (details as readonly Partial<Problem>[]).map(
    ({ path = '', problem = '' }) => `${path} ${problem}`,
  );
  return `${title}: ${problems.join('; ').trim()}`;
}

export class RefusedCalls {
  private readonly counts = new Map<string, number>();
  private total = 0;
  private readonly hear = (message: unknown) => this.add(message as RefusedCall);

  /** Begins to count; `end` ends it. */
  constructor() {
    REFUSALS.subscribe(this.hear);
  }

  private add({ method, path, status, error }: RefusedCall): void {
    const text = printable(`${method} ${path}  ${status} ${reasonOf(error)}`);
    this.total += 1;
    const isCounted = this.counts.has(text) || this.counts.size < KINDS_MAX;
    if (isCounted) this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** Takes back the last refusal of a path: the caller got another answer. */
  withdraw(path: string): void {
    const text = [...this.counts.keys()].findLast((line) => line.split(' ')[1] === path);
    if (text === undefined) return;
    this.total -= 1;
    const left = this.counts.get(text)! - 1;
    if (left === 0) this.counts.delete(text);
    else this.counts.set(text, left);
  }

  /** Ends the count. */
  end(): void {
    REFUSALS.unsubscribe(this.hear);
  }

  /**
   * The summary, with the reasons; empty without refusals. A command that succeeded may have wanted
   * them: one example then suffices.
   */
  summary(hasSucceeded: boolean): string {
    if (this.total === 0) return '';
    const calls = this.total === 1 ? '1 call' : `${this.total} calls`;
    const kinds = [...this.counts].slice(0, hasSucceeded ? 1 : LISTED);
    const lines = kinds.map(([text, times]) => `  ${text}${times > 1 ? ` (${times} times)` : ''}`);
    const further = this.counts.size > kinds.length ? ['  and others'] : [];
    return [`armtwin run: the twin refused ${calls}:`, ...lines, ...further, ''].join('\n');
  }
}
