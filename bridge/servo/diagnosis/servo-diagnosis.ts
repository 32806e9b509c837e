/** What a diagnosis of servos finds, which `armtwin doctor` prints. */
import type { Calibration } from '../calibration/calibration.ts';
import type { ServoFix } from './servo-fix.ts';

export interface DiagnosisOptions {
  /** Names the servos that must be present; null: any may be. */
  readonly calibration: Calibration | null;
  /** Hint for a bus on which no servo answers: the families that they may be of instead. */
  readonly others?: string;
}

export interface DiagnosedServo {
  readonly id: number;
  readonly model: string;
  readonly firmware: number;
  readonly baud: number | null;
  readonly voltage_v: number | null;
  readonly temperature_c: number | null;
  readonly torque_on: boolean;
  /** Time from request to reply (ms). */
  readonly latency_ms: number;
}

export interface ServoDiagnosis {
  readonly servos: readonly DiagnosedServo[];
  /** Messages: what is wrong and how to fix it. */
  readonly problems: readonly string[];
  /** Settings that a start corrects. */
  readonly notes: readonly string[];
  /** What was measured and computed: the line, and the torque of the joints against their load. */
  readonly figures: readonly string[];
  /** What `doctor --fix` writes; nothing while the line cannot be trusted. */
  readonly fixes: readonly ServoFix[];
}
