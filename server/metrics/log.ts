/**
 * The log: JSON lines on stderr. Requests are logged by route and id; bodies, headers and query
 * strings never are, because they may hold secrets.
 */
import pino from 'pino';

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

/** The log of the service. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
  /** Logs a request: at debug level, or at error level for status 500. */
  answered(request: AnsweredRequest): void;
}

const SERVER_FAILED = 500;

/** The name, message and stack of an error; its other properties may hold request bodies. */
function plain(cause: unknown): object | undefined {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : { type: typeof cause };
  const { name, message, stack } = cause;
  return { type: name, message, stack };
}

/** Creates a log of this level and above; `silent` writes nothing. */
export function createLog(level: LogLevel): Log {
  const logger = pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
  return {
    info: (text) => logger.info(text),
    warn: (text) => logger.warn(text),
    error: (text, cause) => logger.error({ err: plain(cause) }, text),
    answered: (request) => logger[request.status === SERVER_FAILED ? 'error' : 'debug'](request),
  };
}
