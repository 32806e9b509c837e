/**
 * A family of servos: what the program needs of the servos of one protocol. A folder beside this
 * one holds each, and bridge/servo-families.ts lists them: nothing else asks which there are.
 */

import type { BusClock } from '../transport/bus-clock.ts';
import type { Bus } from './bus/bus.ts';
import type { WireFormat } from './bus/wire-format.ts';
import type { Calibration } from './calibration/calibration.ts';
import type { ForeignFormat } from './calibration/import/foreign-format.ts';
import type { Motor } from './calibration/motor.ts';
import type { ServosToCalibrate } from './calibration/servos-to-calibrate.ts';
import type { DiagnosisOptions, ServoDiagnosis } from './diagnosis/servo-diagnosis.ts';
import type { ArmEmulator, EmulatedArmOptions } from './emulator/arm-emulator.ts';
import type { EmulatedDevice } from './emulator/emulated-device.ts';
import type { JointBus } from './joint-bus.ts';
import type { SettingAccess } from './servo-setting.ts';
import type { SafeStartOptions } from './start/safe-start.ts';
import type { StartReport } from './start/start-report.ts';

/** What the joints of an arm are made from. */
export interface JointBusOptions extends SafeStartOptions {
  readonly bus: Bus;
  /** Called with what each start and recovery found, wrote and proved. */
  readonly onStart?: (report: StartReport) => void;
}

export interface ServoFamily<Name extends string = string> {
  /** In calibration files and after `--servo-family`. */
  readonly name: Name;
  /** As its maker writes it, for sentences. */
  readonly title: string;
  /** Its packets on the line. */
  readonly format: WireFormat;
  /** The highest id that a servo may have; the lowest is 0. */
  readonly highest_id: number;
  /** Baud rates that its servos can be set to. */
  readonly bauds: readonly number[];
  /** Names of its models, as calibrations and reports have them. */
  readonly models: readonly string[];
  /** Motors by model, as far as they are known. */
  readonly motors: Readonly<Record<string, Motor>>;
  /** Whether its servos can control a position by a current that the driver limits. */
  readonly has_current_control: boolean;
  /** Whether one of its servos can move a gripper, whose force its current limits. */
  readonly drives_gripper: boolean;
  /**
   * Whether its servos keep a correction of their positions, on which a calibration counts; a start
   * of the others clears it.
   */
  readonly keeps_correction: boolean;
  /** What its servos cannot do, each as the rest of a sentence about them. */
  readonly lacks: readonly string[];
  /** Files of other programs that calibrate its servos. */
  readonly imports: readonly ForeignFormat[];
  /** The calibration of its emulated servos as they leave the factory. */
  readonly emulated: Calibration;
  /** Why the servos of this arm cannot be emulated, as a sentence; null: they can. */
  readonly emulation_problem: string | null;

  /** Emulates six servos with an arm, or eight with `paired`: two on shoulder and elbow each. */
  createEmulator(options: EmulatedArmOptions, paired: boolean): ArmEmulator<EmulatedDevice>;
  /** The joints of an arm of its servos, not yet started. */
  createJoints(options: JointBusOptions): JointBus;
  /** Ids of the servos that answer, in any order. */
  scan(bus: Bus): Promise<readonly number[]>;
  /** Diagnoses the servos on a bus; changes nothing. */
  diagnose(bus: Bus, clock: BusClock, options: DiagnosisOptions): Promise<ServoDiagnosis>;
  /** Its servos for the guided calibration. */
  toCalibrate(bus: Bus): ServosToCalibrate;
  /** The settings of its servos, for corrections. */
  settings(bus: Bus): SettingAccess;
}
