/**
 * The servos of an arm that have fallen silent: cycles without samples lead to a scan for those
 * that do not answer, and these are looked for again until they do.
 */

import type { BusClock } from '../../transport/bus-clock.ts';
import type { Bus } from './bus.ts';
import type { LineSymptoms } from './line-symptoms.ts';
import { findMissingServos, findReturnedServos, type MissingServos } from './missing-servos.ts';

/** Bad cycles in a row before a scan for missing servos. */
const SCAN_AFTER_CYCLES = 3;
/** Above this age the arm holds anyway, so the scan may take its time (s). */
const STALE_S = 0.15;
/** Time between two looks for missing servos that may be back (ms). */
const RETURN_MS = 500;

export interface SilentServosOptions {
  readonly bus: Bus;
  readonly clock: BusClock;
  /** All servos. */
  readonly ids: readonly number[];
  /** Whether a servo answers one ping. */
  readonly answers: (id: number) => Promise<boolean>;
  /** What the line shows. */
  readonly symptoms: LineSymptoms;
  /** Age of the oldest sample (s). */
  readonly age_s: () => number;
  /** Whether the exchange still runs, after a scan. */
  readonly isActive: () => boolean;
  /** Called with the servos that a scan has found to be missing. */
  readonly onSilence: (found: Exclude<MissingServos, 'unclear'>) => void;
}

export class SilentServos {
  /** Cycles in a row without fresh samples of all servos that are not missing. */
  failed_cycles = 0;
  private readonly options: SilentServosOptions;
  private readonly missing = new Set<number>();
  private scanning = false;
  /** Bad cycles in a row since the latest scan. */
  private unscanned = 0;
  /** Time of the latest look for missing servos (ms). */
  private looked_ms = 0;

  constructor(options: SilentServosOptions) {
    this.options = options;
  }

  /** Ids of the servos that are not missing. */
  get present(): readonly number[] {
    return this.options.ids.filter((id) => !this.missing.has(id));
  }

  /** Number of missing servos. */
  get count(): number {
    return this.missing.size;
  }

  /** Starts over with all servos. */
  reset(): void {
    this.missing.clear();
    this.restart();
  }

  /** Starts over with the servos that are not missing. */
  restart(): void {
    this.failed_cycles = 0;
    this.unscanned = 0;
  }

  addBadCycle(): void {
    this.failed_cycles += 1;
    this.unscanned += 1;
  }

  /** Whether missing servos may be back. */
  get isReturnDue(): boolean {
    const { clock } = this.options;
    return this.missing.size > 0 && clock.now_ms() - this.looked_ms > RETURN_MS;
  }

  /** Takes servos that answer again among the others. */
  async lookForReturned(): Promise<void> {
    const { clock, answers } = this.options;
    this.looked_ms = clock.now_ms();
    const back = await findReturnedServos([...this.missing], answers);
    for (const id of back) this.missing.delete(id);
  }

  /** Scans for missing servos after some bad cycles in a row. */
  scanIfDue(): void {
    if (this.unscanned >= SCAN_AFTER_CYCLES && !this.scanning) void this.scan();
  }

  private async scan(): Promise<void> {
    const { bus, symptoms, answers, age_s, isActive, onSilence } = this.options;
    this.scanning = true;
    const isUrgent = () => age_s() < STALE_S;
    const isErratic = () => symptoms.isErratic;
    const missing = await findMissingServos(bus, this.present, { isUrgent, isErratic, answers });
    this.scanning = false;
    if (missing === 'unclear' || symptoms.isGarbled) return;
    this.unscanned = 0;
    if (!isActive()) return;
    const isGone = (id: number) => !symptoms.hasHeard(id);
    const found = missing === 'none reply' ? missing : missing.filter(isGone);
    if (found !== 'none reply') for (const id of found) this.missing.add(id);
    onSilence(found);
  }
}
