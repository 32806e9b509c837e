/**
 * Prometheus metrics (/metrics): tick lateness, stream clients, queues and durations of routes.
 * Counters end in `_total`, times are seconds. Each twin has its own registry, so that several
 * twins in one process do not mix. Also: the log, and the health of the service.
 */
import pino from 'pino';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ArmInstruments } from '../../bridge/arm-instruments.ts';
import { limits } from '../../contract/limits.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { ROBOT_STATES, type RobotState } from '../../contract/robot-states.ts';
import type { LogLevel } from '../cli/config.ts';
import type { Command } from '../robot/commands.ts';
import { STATEMENTS } from '../robot/invariant-statements.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { PasswordCounts } from '../sessions/password-checks.ts';
import { addArmMetrics } from './arm-metrics.ts';
import { logOutput } from './log-output.ts';

/** The sources of the metrics; read at each scrape. */
export interface MetricSources {
  /** Labels of `armtwin_build_info`. */
  readonly build: Readonly<Record<'version' | 'node' | 'driver' | 'dialect', string>>;
  /** Start of the twin (ms since 1970, wall time). */
  readonly startedAt_ms: number;
  readonly clock: {
    statistics(): {
      readonly lateness_p50_ms: number;
      readonly lateness_p99_ms: number;
      readonly real_time_factor: number;
    };
  };
  readonly loop: { readonly tick: number };
  readonly state: () => string;
  /** Streams by name. */
  readonly streams: Readonly<
    Record<string, { readonly size: number; readonly buffered_bytes: number }>
  >;
  readonly planning: () => { readonly queue: number; readonly done: number };
  /** Connections that are open now. */
  readonly connections: () => number;
  /** Events of the audit log by kind. */
  readonly audit: { readonly counts: Readonly<Record<string, number>> };
  /** Password checks: running, waiting, failed, refused. */
  readonly passwords: { readonly counts: PasswordCounts };
  /** Large bodies that wait for the document thread. */
  readonly documents: { readonly queueSize: number };
  /** The data folder: damages found since the start, and whether saves are refused. */
  readonly storage: () => { readonly damages: number; readonly isReadOnly: boolean };
  /** Webhook deliveries by state. */
  readonly hooks: () => Readonly<Record<string, number>>;
  /** Counters of the servo bus by name; empty for simulated arms. */
  readonly bus: () => Readonly<Record<string, number>>;
  /** Violated statements about state and motion, by statement. */
  readonly invariants: { readonly counts: Readonly<Record<string, number>> };
  /** Readings of a servo arm; null for simulated arms. */
  readonly instruments: ArmInstruments | null;
}

/** Histogram buckets of call durations (s). */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15, 60];

export interface Metrics {
  readonly contentType: string;
  /** Counts an answered request. */
  answered(request: AnsweredRequest): void;
  /** The metrics in the Prometheus text format. */
  text(): Promise<string>;
}

type Row = readonly [name: string, help: string, value: () => number];

const MS_PER_S = 1000;

function gauges({
  clock,
  planning,
  connections,
  documents,
  startedAt_ms,
  storage,
}: MetricSources): readonly Row[] {
  return [
    [
      'armtwin_tick_lateness_p50_seconds',
      'Lateness of ticks, median of the last 8 s',
      () => clock.statistics().lateness_p50_ms / MS_PER_S,
    ],
    [
      'armtwin_tick_lateness_p99_seconds',
      'Lateness of ticks, 99th percentile of the last 8 s',
      () => clock.statistics().lateness_p99_ms / MS_PER_S,
    ],
    [
      'armtwin_real_time_factor',
      'Twin seconds per wall second',
      () => clock.statistics().real_time_factor,
    ],
    ['armtwin_planning_queue', 'Plans waiting for a worker thread', () => planning().queue],
    ['armtwin_storage_damages', 'Damages of stored data found', () => storage().damages],
    ['armtwin_storage_read_only', '1 while saves are refused', () => +storage().isReadOnly],
    ['armtwin_connections', 'Open connections, streams included', connections],
    [
      'armtwin_document_queue',
      'Large bodies waiting for the document thread',
      () => documents.queueSize,
    ],
    // The names of Prometheus for every process.
    ['process_start_time_seconds', 'Start of the twin since 1970', () => startedAt_ms / MS_PER_S],
    ['process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss()],
    ['nodejs_heap_size_used_bytes', 'Used heap', () => process.memoryUsage().heapUsed],
  ];
}

const MICROSECONDS_PER_S = 1e6;

function processorTime_s(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS_PER_S;
}

function counters({ loop, planning }: MetricSources): readonly Row[] {
  return [
    ['armtwin_ticks_total', 'Ticks of 4 ms; starts again when the twin is reset', () => loop.tick],
    [
      'armtwin_plans_total',
      'Plans completed since the start of the process',
      () => planning().done,
    ],
    [
      'armtwin_log_lines_lost_total',
      'Lines of the log that could not be written',
      () => logOutput().lost,
    ],
    ['process_cpu_seconds_total', 'Processor time of the process', processorTime_s],
  ];
}

function addStreams(registry: Registry, streams: MetricSources['streams']): void {
  const place = { registers: [registry], labelNames: ['stream'] };
  new Gauge({
    ...place,
    name: 'armtwin_stream_clients',
    help: 'Clients of a stream',
    collect() {
      for (const [stream, hub] of Object.entries(streams)) this.set({ stream }, hub.size);
    },
  });
  new Gauge({
    ...place,
    name: 'armtwin_stream_buffered_bytes',
    help: 'Bytes buffered for the slowest client of a stream',
    collect() {
      for (const [stream, hub] of Object.entries(streams)) this.set({ stream }, hub.buffered_bytes);
    },
  });
}

/** Adds a counter of which each scrape reads the totals by label. */
function addTotals(
  registry: Registry,
  [name, help, label]: readonly [name: string, help: string, label: string],
  totals: () => Readonly<Record<string, number>>,
): void {
  new Counter({
    registers: [registry],
    labelNames: [label],
    name,
    help,
    collect() {
      this.reset();
      for (const [key, total] of Object.entries(totals())) this.inc({ [label]: key }, total);
    },
  });
}

function addInformation(registry: Registry, { build }: MetricSources): void {
  const gauge = new Gauge({
    registers: [registry],
    labelNames: Object.keys(build),
    name: 'armtwin_build_info',
    help: '1, with what runs as labels',
  });
  gauge.set({ ...build }, 1);
}

/** Adds a gauge with a value for each state. */
function addStates(
  registry: Registry,
  [name, help]: readonly [name: string, help: string],
  counts: () => Readonly<Record<string, number>>,
): void {
  new Gauge({
    registers: [registry],
    labelNames: ['state'],
    name,
    help,
    collect() {
      for (const [state, count] of Object.entries(counts())) this.set({ state }, count);
    },
  });
}

function addPasswordChecks(registry: Registry, passwords: MetricSources['passwords']): void {
  addStates(registry, ['armtwin_password_checks', 'Password checks now'], () => {
    const { running, waiting } = passwords.counts;
    return { running, waiting };
  });
  addTotals(
    registry,
    ['armtwin_password_checks_total', 'Password checks that failed or were refused', 'result'],
    () => {
      const { failed, refused } = passwords.counts;
      return { failed, refused };
    },
  );
}

function addState(registry: Registry, current: () => string): void {
  new Gauge({
    registers: [registry],
    labelNames: ['state'],
    name: 'armtwin_robot_state',
    help: '1 for the current state of the robot',
    collect() {
      for (const state of ROBOT_STATES) this.set({ state }, state === current() ? 1 : 0);
    },
  });
}

const NO_VIOLATIONS = Object.fromEntries(
  Object.keys(STATEMENTS).map((statement) => [statement, 0]),
);

/** Adds the gauges and counters without labels. */
function addRows(registry: Registry, sources: MetricSources): void {
  const registers = [registry];
  for (const [name, help, value] of gauges(sources)) {
    new Gauge({
      registers,
      name,
      help,
      collect() {
        this.set(value());
      },
    });
  }
  for (const [name, help, value] of counters(sources)) {
    new Counter({
      registers,
      name,
      help,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }
}

/** Creates the metrics of one twin. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  addRows(registry, sources);
  addInformation(registry, sources);
  addStreams(registry, sources.streams);
  addState(registry, sources.state);
  addStates(
    registry,
    ['armtwin_webhooks', 'Webhook deliveries in the store, by state'],
    sources.hooks,
  );
  addTotals(
    registry,
    [
      'armtwin_invariant_violations_total',
      'Violated statements about state and motion',
      'statement',
    ],
    // A total that starts at 0 lets an alert see the first violation.
    () => ({ ...NO_VIOLATIONS, ...sources.invariants.counts }),
  );
  addTotals(
    registry,
    ['armtwin_audit_events_total', 'Log-ins and changes of users and tokens', 'event'],
    () => sources.audit.counts,
  );
  addPasswordChecks(registry, sources.passwords);
  addTotals(registry, ['armtwin_bus_events_total', 'Counts of the servo bus', 'kind'], sources.bus);
  if (sources.instruments) addArmMetrics(registry, sources.instruments);
  const durations = new Histogram({
    registers: [registry],
    name: 'armtwin_http_duration_seconds',
    help: 'Duration of calls by route and status',
    labelNames: ['route', 'status'],
    buckets: BUCKETS_S,
  });
  return {
    contentType: registry.contentType,
    answered: ({ route, status, duration_ms }) =>
      durations.observe({ route, status: String(status) }, duration_ms / 1000),
    text: () => registry.metrics(),
  };
}

/**
 * The log: JSON lines on stderr, each with level, time (ISO 8601), instance and version. Requests
 * are logged by route and id; bodies, headers and query strings never are, because they may hold
 * secrets. Also: the health of the service, with the last command for crash reports.
 */

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
  | 'token_deleted'
  | 'update_started';

/** Who did it, to what, and from where. */
export interface AuditDetails {
  /** The user who called; absent before a log-in has succeeded, and at a start. */
  readonly by?: number;
  /** The user that was logged in or changed. */
  readonly user_id?: number;
  readonly token_id?: number;
  readonly role?: string;
  /** The version of an update. */
  readonly version?: string;
  /** Where the call came from; absent where the options of a start did it. */
  readonly address?: string;
}

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
    logOutput(),
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
   * Why the service is not ready for commands; empty when it is. Of the states of the robot only
   * an update is a reason: a client must reach an arm in error to reset it, but can only wait for
   * the end of an update.
   */
  notReadyReasons(
    planning: { readonly queue: number },
    robot: { readonly state: RobotState },
  ): string[] {
    const reasons = this.closing === null ? [] : [this.closing];
    if (robot.state === 'updating') reasons.push('updating: the arm installs an update');
    const { feedbackAge_s: age_s } = this.feedback;
    if (age_s > limits.feedback_stale_s) {
      reasons.push(`The joints have not reported for ${age_s.toFixed(2)} s`);
    }
    if (planning.queue >= MAX_PLANNING_QUEUE) reasons.push('Too many toolpaths are being planned');
    return reasons;
  }
}
