/**
 * The log: JSON lines on stderr, each with level, time (ISO 8601), instance and version. Requests
 * are logged by route and id; bodies, headers and query strings never are, because they may hold
 * secrets. Also: the health of the service, with the last command for crash reports.
 */
import pino from 'pino';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { Command } from '../robot/commands.ts';
import type { LoopListener } from '../robot/loop.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A request that was answered, or whose connection closed. */
export interface AnsweredRequest {
  readonly request_id: string;
  readonly method: string;
  /** The route id, or the path of another endpoint. */
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
}

/** What the audit log records; none of it holds a secret. */
export type AuditEvent =
  | 'log_in'
  | 'log_in_failed'
  | 'log_in_refused'
  | 'log_out'
  | 'user_created'
  | 'user_changed'
  | 'password_changed'
  | 'role_changed'
  | 'user_deleted'
  | 'token_created'
  | 'token_deleted';

/** Who did it, to what, and from where. */
export interface AuditDetails {
  /** The user who called; absent before a log-in has succeeded. */
  readonly by?: number;
  /** The user that was logged in or changed. */
  readonly user_id?: number;
  readonly token_id?: number;
  readonly role?: string;
  readonly address: string;
}

/** Failures are written up to this many a minute; all are counted. */
const FAILURES_PER_MIN = 60;
const MINUTE_MS = 60_000;

/**
 * The audit log: log-ins and changes of users, roles and tokens, at level info. Anybody can cause
 * failures, so only the first ones of a minute are written.
 */
export class AuditLog {
  /** Events since the start, by kind. */
  readonly counts: { [event in AuditEvent]?: number } = {};
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

/** The log of the service. */
export interface Log {
  info(text: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
  /** Logs an event of the audit log, at info level. */
  audit(event: AuditEvent, details: AuditDetails): void;
  /** Logs a request: at debug level, or at error level for status 500. */
  answered(request: AnsweredRequest): void;
}

/** Which process writes the log: fields of every line. */
export interface LogSource {
  /** The robot's name where one is configured, else the name of the machine. */
  readonly instance: string;
  readonly version: string;
}

const SERVER_FAILED = 500;

/** The name, message and stack of an error; its other properties may hold request bodies. */
function plain(cause: unknown): object | undefined {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : { type: typeof cause };
  const { name, message, stack } = cause;
  return { type: name, message, stack };
}

/** Creates a log of this level and above; `silent` writes nothing. */
export function createLog(level: LogLevel, source: LogSource): Log {
  const logger = pino(
    {
      level,
      base: source,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return {
    info: (text, fields = {}) => logger.info(fields, text),
    warn: (text) => logger.warn(text),
    error: (text, cause) => logger.error({ err: plain(cause) }, text),
    audit: (audit, details) => logger.info({ audit, ...details }),
    answered: (request) => logger[request.status === SERVER_FAILED ? 'error' : 'debug'](request),
  };
}

/**
 * Monitors the age of the joint feedback and the last command, for /readyz and crash reports. The
 * arguments of commands are not kept: they may be long or private.
 */

/** A command in a crash report. */
export interface LastCommand {
  readonly kind: string;
  readonly user_id: number | null;
  readonly tick: number;
  /** Name of the refusal; null if the command was accepted. */
  readonly refused: string | null;
}

/** Queued plans beyond which the service is not ready. */
const MAX_PLANNING_QUEUE = 128;

export class HealthMonitor implements LoopListener {
  /** Why the service closes; null while it does not. */
  closing: string | null = null;
  private readonly feedback: { readonly feedbackAge_s: number };
  private last: LastCommand | null = null;

  constructor(feedback: { readonly feedbackAge_s: number }) {
    this.feedback = feedback;
  }

  readonly onCommand = (command: Command, refusal: Refusal | null, tick: number): void => {
    const user_id = 'caller' in command ? command.caller.user_id : null;
    this.last = { kind: command.kind, user_id, tick, refused: refusal?.refused ?? null };
  };

  /** The latest command; null before the first. */
  get lastCommand(): LastCommand | null {
    return this.last;
  }

  /**
   * Why the service is not ready for commands; empty when it is. The robot's state is no reason: a
   * client must reach an arm in error to reset it.
   */
  notReadyReasons(planning: { readonly queue: number }): string[] {
    const reasons = this.closing === null ? [] : [this.closing];
    const { feedbackAge_s: age_s } = this.feedback;
    if (age_s > limits.feedback_stale_s) {
      reasons.push(`The joints have not reported for ${age_s.toFixed(2)} s`);
    }
    if (planning.queue >= MAX_PLANNING_QUEUE) reasons.push('Too many toolpaths are being planned');
    return reasons;
  }
}
