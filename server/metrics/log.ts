/**
 * The log: JSON lines on stderr, never a secret. Requests are told by route and id, not by what
 * they carry: bodies, headers and query strings never come here. Silent in tests that make twins
 * by the dozen.
 */
import pino from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** One request that was answered, or whose connection has gone. */
export interface AnsweredRequest {
  readonly request_id: string;
  readonly method: string;
  /** Id of the route's row, or what else answered. */
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
}

/** What the rooms write to. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
  /** A request: for debugging only, unless the server failed. */
  answered(request: AnsweredRequest): void;
}

const SERVER_FAILED = 500;

/** What is known of an error, without what it carries along: properties may hold bodies. */
function plain(cause: unknown): object | undefined {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : { type: typeof cause };
  const { name, message, stack } = cause;
  return { type: name, message, stack };
}

/** A log of this severity and above; `silent` writes nothing. */
export function createLog(level: LogLevel): Log {
  const logger = pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
  return {
    info: (text) => logger.info(text),
    warn: (text) => logger.warn(text),
    error: (text, cause) => logger.error({ err: plain(cause) }, text),
    answered: (request) => logger[request.status === SERVER_FAILED ? 'error' : 'debug'](request),
  };
}
