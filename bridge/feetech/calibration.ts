import type { Bus } from '../servo/bus/bus.ts';
import { intoOneTurn } from '../servo/calibration/joint-units.ts';
import type { ServosToCalibrate } from '../servo/calibration/servos-to-calibrate.ts';
import { STS_MODELS, stsFirmware } from './models.ts';
import { PHASE_REVERSED, type StsRegisterName } from './registers.ts';
import { readSts, writeSts } from './servo-requests.ts';

/** Feetech STS servos, for the calibration. */
export function feetechToCalibrate(bus: Bus): ServosToCalibrate {
  const read = async (id: number, name: StsRegisterName) => {
    const value = await readSts(bus, id, name);
    if (value === null) throw new Error(`Servo ${id} stopped answering: check its cable`);
    return value;
  };
  const write = async (id: number, name: StsRegisterName, value: number) => {
    await writeSts(bus, id, [name, value]);
    const found = await read(id, name);
    if (found !== value) throw new Error(`Servo ${id} refused ${name}: run armtwin doctor`);
  };
  return {
    async identify(id) {
      const number = await readSts(bus, id, 'model');
      if (number === null) throw new Error(`Servo ${id} does not answer: run armtwin doctor`);
      const model = STS_MODELS[number];
      if (!model) throw new Error(`Servo ${id} is of model ${number}: use an STS3215`);
      const reverse = ((await read(id, 'phase')) & PHASE_REVERSED) !== 0;
      return { id, model, firmware: stsFirmware(await read(id, 'firmware')), reverse };
    },
    holds: async (id) => (await read(id, 'torque')) === 1,
    async release(id) {
      const before = await read(id, 'torque');
      await write(id, 'torque', 0);
      return before === 0 ? [] : [{ id, register: 'torque', before }];
    },
    async hold(id) {
      await write(id, 'goal_position', intoOneTurn(await read(id, 'present_position')));
      await write(id, 'torque', 1);
    },
    readTicks: (id) => read(id, 'present_position'),
    readGain: (id) => read(id, 'position_p'),
    readCorrection: (id) => read(id, 'homing_offset'),
  };
}
