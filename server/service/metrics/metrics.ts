/**
 * Prometheus metrics (/metrics): tick lateness, stream clients, queues and durations of routes.
 * Counters end in `_total`, times are seconds. Each twin has its own registry, so that several
 * twins in one process do not mix.
 */

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ArmInstruments } from '../../../bridge/arm-instruments.ts';
import { ROBOT_STATES } from '../../../contract/robot-states.ts';
import { STATEMENTS } from '../../robot/invariant-statements.ts';
import { largestOf, type Usage } from '../../shares/usage.ts';
import type { AnsweredRequest } from '../logging/answered-request.ts';
import { logOutput } from '../logging/log-output.ts';
import type { PasswordCounts } from '../sessions/password-checks.ts';
import { addArmMetrics } from './arm-metrics.ts';

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
  /** What users use of what all share. */
  readonly usage: () => Usage;
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

/** Users of a share with a series of their own; the others are one. */
const LARGEST = 3;

/** Adds what is used of each share: by those who use most, and by all others together. */
function addUsage(registry: Registry, usage: MetricSources['usage']): void {
  new Gauge({
    registers: [registry],
    labelNames: ['share', 'user'],
    name: 'armtwin_share_used',
    help: 'Used of a capacity that users share, by the three largest users and all others',
    collect() {
      this.reset();
      for (const [share, owners] of Object.entries(usage())) {
        const largest = largestOf(owners, LARGEST);
        let rest = [...owners.values()].reduce((sum, used) => sum + used, 0);
        for (const { user_id, used } of largest) {
          if (user_id === null) continue;
          rest -= used;
          this.set({ share, user: String(user_id) }, used);
        }
        this.set({ share, user: 'others' }, rest);
      }
    },
  });
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
  addUsage(registry, sources.usage);
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
