import { lerobotFormat } from '../servo/calibration/import/lerobot.ts';
import type { ServoFamily } from '../servo/servo-family.ts';
import { feetechToCalibrate } from './calibration.ts';
import { diagnoseSts } from './diagnostics.ts';
import { EMULATED_FEETECH_CALIBRATION } from './emulated-calibration.ts';
import { StsEmulator } from './emulator/servo-emulator.ts';
import { PAIRED_STS_SERVOS, STS_SERVOS } from './emulator/servo-setup.ts';
import { FeetechBus } from './feetech-bus.ts';
import { HIGHEST_ID } from './instructions.ts';
import { STS_LACKS } from './lacks.ts';
import { STS_MODELS } from './models.ts';
import { STS_MOTORS } from './motors.ts';
import { BAUDS } from './registers.ts';
import { scanSts } from './servo-requests.ts';
import { stsSettings } from './settings.ts';
import { STS_FORMAT } from './sts-format.ts';

/** Feetech's STS servos. */
export const FEETECH: ServoFamily<'feetech'> = {
  name: 'feetech',
  title: 'Feetech',
  format: STS_FORMAT,
  highest_id: HIGHEST_ID,
  bauds: BAUDS,
  models: Object.values(STS_MODELS),
  motors: STS_MOTORS,
  has_current_control: false,
  drives_gripper: false,
  keeps_correction: true,
  lacks: STS_LACKS,
  imports: [lerobotFormat('program')],
  emulation_problem: null,
  emulated: EMULATED_FEETECH_CALIBRATION,
  createEmulator: (options, paired) =>
    new StsEmulator({ ...options, servos: paired ? PAIRED_STS_SERVOS : STS_SERVOS }),
  createJoints: (options) => new FeetechBus(options),
  scan: scanSts,
  diagnose: diagnoseSts,
  toCalibrate: feetechToCalibrate,
  settings: stsSettings,
};
