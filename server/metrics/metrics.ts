/**
 * Prometheus metrics (/metrics): tick lateness, stream clients, queues and durations of routes.
 * Each twin has its own registry, so that several twins in one process do not mix.
 */
import { Gauge, Histogram, Registry } from 'prom-client';
import type { ArmInstruments } from '../../bridge/arm-instruments.ts';
import { ROBOT_STATES } from '../../contract/robot-states.ts';
import type { PasswordCounts } from '../sessions/password-checks.ts';
import { addArmMetrics } from './arm-metrics.ts';
import type { AnsweredRequest } from './log.ts';

/** The sources of the metrics; read at each scrape. */
export interface MetricSources {
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

type GaugeRow = readonly [name: string, help: string, value: () => number];

function gauges({
  clock,
  loop,
  planning,
  connections,
  documents,
}: MetricSources): readonly GaugeRow[] {
  return [
    ['ticks', 'Ticks of 4 ms since the start', () => loop.tick],
    [
      'tick_lateness_p50_ms',
      'Lateness of ticks, median of the last 8 s',
      () => clock.statistics().lateness_p50_ms,
    ],
    [
      'tick_lateness_p99_ms',
      'Lateness of ticks, 99th percentile of the last 8 s',
      () => clock.statistics().lateness_p99_ms,
    ],
    ['real_time_factor', 'Twin seconds per wall second', () => clock.statistics().real_time_factor],
    ['planning_queue', 'Plans waiting for a worker thread', () => planning().queue],
    ['plans_done', 'Plans completed since the start of the process', () => planning().done],
    ['connections', 'Open connections, streams included', connections],
    ['document_queue', 'Large bodies waiting for the document thread', () => documents.queueSize],
    ['resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss()],
    ['heap_used_bytes', 'Used heap', () => process.memoryUsage().heapUsed],
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

/** Adds a gauge with a label for each key of the counts. */
function addCounts(
  registry: Registry,
  [name, help, label]: readonly [name: string, help: string, label: string],
  counts: () => Readonly<Record<string, number>>,
): void {
  new Gauge({
    registers: [registry],
    labelNames: [label],
    name: `armtwin_${name}`,
    help,
    collect() {
      for (const [key, count] of Object.entries(counts())) this.set({ [label]: key }, count);
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

/** Creates the metrics of one twin. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  for (const [name, help, value] of gauges(sources)) {
    new Gauge({
      registers: [registry],
      name: `armtwin_${name}`,
      help,
      collect() {
        this.set(value());
      },
    });
  }
  addStreams(registry, sources.streams);
  addState(registry, sources.state);
  addCounts(
    registry,
    ['webhooks', 'Webhook deliveries in the store, by state', 'state'],
    sources.hooks,
  );
  addCounts(
    registry,
    ['audit_events', 'Log-ins and changes of users and tokens', 'event'],
    () => sources.audit.counts,
  );
  addCounts(
    registry,
    ['password_checks', 'Password checks: now running and waiting; failed and refused', 'state'],
    () => ({ ...sources.passwords.counts }),
  );
  addCounts(
    registry,
    ['invariant_violations', 'Violated statements about state and motion', 'statement'],
    () => sources.invariants.counts,
  );
  addCounts(registry, ['bus_events', 'Counts of the servo bus', 'kind'], sources.bus);
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
