import type { AuditDetails, AuditEvent } from './audit-event.ts';
import type { Log } from './log.ts';

/** Failures are written up to this many a minute; all are counted. */
const FAILURES_PER_MIN = 60;
const MINUTE_MS = 60_000;

/**
 * The audit log: log-ins, updates, and changes of users, roles and tokens, at level info. Anybody
 * can cause failures, so only the first ones of a minute are written.
 */
export class AuditLog {
  /** Events since the start, by kind; the failures that an alert watches from the start on. */
  readonly counts: { [event in AuditEvent]?: number } = { log_in_failed: 0 };
  private readonly log: Pick<Log, 'audit'>;
  private readonly now_ms: () => number;
  private minute_ms = Number.NEGATIVE_INFINITY;
  private failures = 0;

  constructor(log: Pick<Log, 'audit'>, now_ms: () => number) {
    this.log = log;
    this.now_ms = now_ms;
  }

  record(event: AuditEvent, details: AuditDetails): void {
    this.counts[event] = (this.counts[event] ?? 0) + 1;
    const isFailure = event === 'log_in_failed' || event === 'log_in_refused';
    if (!isFailure || this.mayWriteFailure()) this.log.audit(event, details);
  }

  private mayWriteFailure(): boolean {
    const now_ms = this.now_ms();
    if (now_ms - this.minute_ms >= MINUTE_MS) {
      this.minute_ms = now_ms;
      this.failures = 0;
    }
    this.failures += 1;
    return this.failures <= FAILURES_PER_MIN;
  }
}
