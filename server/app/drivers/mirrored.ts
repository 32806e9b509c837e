import { MirroredArm } from '../../../bridge/mirrored-arm.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { CreateDriver } from './driver.ts';
import { createServoArm } from './servo.ts';

/** The driver of an arm of servos with a model that runs beside it. */
export const mirrored: CreateDriver = (config, log) => {
  const { arm: real, joints, family } = createServoArm(config, log);
  const { timed } = joints;
  if (!timed) {
    const lack = `${family.title} servos have no clock to compare a model by`;
    throw new OptionError(`${lack}: use --driver servo`);
  }
  const driver = new MirroredArm({ real, timed, log });
  const instruments = { read: () => ({ ...real.read(), mirror: driver.differences() }) };
  return { driver, world: null, instruments, busStatistics: () => joints.statistics };
};
