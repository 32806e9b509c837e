/** The log: JSON lines on stderr, never a secret. Silent in tests that make twins by the dozen. */
import pino from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What the rooms write to. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** A log of this severity and above; `silent` writes nothing. */
export function createLog(level: LogLevel): Log {
  const logger = pino({ level, base: null }, pino.destination(2));
  return {
    info: (text) => logger.info(text),
    warn: (text) => logger.warn(text),
    error: (text, cause) => logger.error({ err: cause }, text),
  };
}
