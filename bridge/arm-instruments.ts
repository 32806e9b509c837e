/**
 * Instrument readings of an arm of servos, beyond the driver port: each servo, the bus they share,
 * and the deviation from the model that runs beside it; and the statistics of the bus cycle. For
 * metrics and diagnosis only; control does not use them. A simulated arm has none.
 */
import type { ArmFault } from './arm-driver.ts';
import type { Bus } from './bus/bus.ts';
import type { ServoLink } from './servo/servo-link.ts';

export interface ServoMeasurement {
  /** 0..5, from the base on. */
  readonly joint: number;
  readonly id: number;
  readonly model: string;
  readonly temperature_c: number;
  readonly voltage_v: number;
  /** Signed as the joint's torque; 0 where the model does not measure it. */
  readonly current_a: number;
  /** Requests without a fresh sample in time. */
  readonly missed_samples: number;
}

export interface BusStatistics {
  readonly name: string;
  readonly transactions: number;
  readonly timeouts: number;
  readonly checksum_errors: number;
  /** Replies that matched no pending request. */
  readonly unexpected: number;
  /** Packets that the transport did not accept. */
  readonly unsent: number;
  /** Cycles skipped because replies of the previous one were still missing. */
  readonly missed_turns: number;
  /** Time from a request to its last reply, over the latest cycles (ms). */
  readonly cycle_p50_ms: number;
  readonly cycle_p99_ms: number;
  /** Time from one request to the next, which grows when the control loop is late (ms). */
  readonly period_p99_ms: number;
  /** Age of the oldest joint's sample (ms). */
  readonly age_ms: number;
}

/** Real minus model. */
export interface JointDeviation {
  readonly joint: number;
  readonly position_rad: number;
  readonly torque_n_m: number;
  readonly position_rms_rad: number;
  readonly position_max_rad: number;
  readonly torque_rms_n_m: number;
  readonly torque_max_n_m: number;
}

export interface ArmReading {
  readonly fault: ArmFault | null;
  readonly bus: BusStatistics;
  /** All servos, from the base on; a joint may have several. */
  readonly servos: readonly ServoMeasurement[];
  /** Six, from the base on; null where no model runs beside the arm. */
  readonly mirror: readonly JointDeviation[] | null;
}

export interface ArmInstruments {
  /** The present readings, as a new object. */
  read(): ArmReading;
}

/** Readings of all servos and of their bus. */
export function readBusAndServos(link: ServoLink, bus: Bus): Pick<ArmReading, 'bus' | 'servos'> {
  const { transactions, timeouts, unexpected, unsent } = bus.counts;
  return {
    bus: {
      name: bus.name,
      transactions,
      timeouts,
      unexpected,
      unsent,
      checksum_errors: bus.readerCounts.checksum_errors,
      missed_turns: link.counts.missed_cycles,
      cycle_p50_ms: link.cycle.percentile(0.5),
      cycle_p99_ms: link.cycle.percentile(0.99),
      period_p99_ms: link.period.percentile(0.99),
      age_ms: 1000 * link.age_s,
    },
    servos: link.slots.map(({ id, joint }, i) => ({
      joint,
      id,
      model: link.models[i]!,
      temperature_c: link.servo_temperature_c[i]!,
      voltage_v: link.voltage_v[i]!,
      current_a: link.samples.servo_current_a[i]!,
      missed_samples: link.missed_samples[i]!,
    })),
  };
}

/** About eight seconds at 125 cycles a second. */
const WINDOW_SIZE = 1024;

/** The latest durations of the bus cycle, for percentiles. */
export class DurationWindow {
  private readonly durations_ms = new Float64Array(WINDOW_SIZE);
  private count = 0;

  add(duration_ms: number): void {
    this.durations_ms[this.count % WINDOW_SIZE] = duration_ms;
    this.count += 1;
  }

  /** Percentile of the durations (ms) for a share from 0 to 1; 0 without durations. */
  percentile(share: number): number {
    const size = Math.min(this.count, WINDOW_SIZE);
    if (size === 0) return 0;
    const sorted = this.durations_ms.slice(0, size).sort();
    return sorted[Math.ceil(share * (size - 1))]!;
  }
}
