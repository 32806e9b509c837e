/**
 * The log: JSON lines on stderr, each with level, time (ISO 8601), instance and version; on a
 * terminal lines for a person with the same fields. Requests
 * are logged by route and id; bodies, headers and query strings never are, because they may hold
 * secrets.
 */

import pino from 'pino';
import type { AnsweredRequest } from './answered-request.ts';
import type { AuditDetails, AuditEvent } from './audit-event.ts';
import { logOutput } from './log-output.ts';
import { terminalLine } from './terminal-line.ts';

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

/** Takes the lines of JSON that the logger makes. */
function destination(): { write(json: string): void } {
  const output = logOutput();
  if (process.stderr.isTTY !== true) return output;
  const isColoured = process.stderr.hasColors();
  return { write: (json) => output.write(terminalLine(json, isColoured)) };
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
    destination(),
  );
  return {
    info: (text, fields = {}) => logger.info(fields, text),
    warn: (text) => logger.warn(text),
    error: (text, cause) => logger.error({ err: plain(cause) }, text),
    audit: (audit, details) => logger.info({ audit, ...details }, 'Audit'),
    answered: (request) =>
      logger[request.status === SERVER_FAILED ? 'error' : 'debug'](request, 'Call'),
  };
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
