import type { Bus } from '../servo/bus/bus.ts';
import { intoOneTurn } from '../servo/calibration/joint-units.ts';
import type {
  ChangedRegister,
  ServosToCalibrate,
} from '../servo/calibration/servos-to-calibrate.ts';
import { REVERSE_BIT } from './drive-mode.ts';
import { SERVO_MODELS } from './models.ts';
import { OPERATING_MODE, type RegisterName } from './registers.ts';
import { pingServo, readRegister, writeAndReadBack } from './servo-requests.ts';

/** Servos of the DYNAMIXEL X series. */
export function dynamixelToCalibrate(bus: Bus): ServosToCalibrate {
  const read = async (id: number, name: RegisterName) => {
    const value = await readRegister(bus, id, name);
    if (value === null) throw new Error(`Servo ${id} stopped answering: check its cable`);
    return value;
  };
  const write = async (id: number, name: RegisterName, value: number) => {
    const { found } = await writeAndReadBack(bus, id, [name, value]);
    if (found !== value) throw new Error(`Servo ${id} refused ${name}: run armtwin doctor`);
  };
  return {
    async identify(id) {
      const found = await pingServo(bus, id);
      if (!found) throw new Error(`Servo ${id} does not answer: run armtwin doctor`);
      const known = SERVO_MODELS[found.model];
      if (!known) throw new Error(`Servo ${id} is of model ${found.model}: use an X-series servo`);
      const reverse = ((await read(id, 'drive_mode')) & REVERSE_BIT) !== 0;
      return { id, model: known.name, firmware: found.firmware, reverse };
    },
    holds: async (id) => (await read(id, 'torque')) === 1,
    async release(id) {
      const changed: ChangedRegister[] = [];
      for (const [register, value] of [
        ['torque', 0],
        ['operating_mode', OPERATING_MODE.position],
        ['homing_offset', 0],
      ] as const) {
        const before = await read(id, register);
        if (before !== value) changed.push({ id, register, before });
        await write(id, register, value);
      }
      return changed;
    },
    async hold(id) {
      await write(id, 'goal_position', intoOneTurn(await read(id, 'present_position')));
      await write(id, 'torque', 1);
    },
    readTicks: (id) => read(id, 'present_position'),
    readGain: (id) => read(id, 'position_p'),
    readCorrection: async () => undefined,
  };
}
