import type { Bus } from '../servo/bus/bus.ts';
import type { SettingAccess } from '../servo/servo-setting.ts';
import type { RegisterName } from './registers.ts';
import { readRegister, writeRegister } from './servo-requests.ts';

/** Settings of DYNAMIXEL servos. */
export function servoSettings(bus: Bus): SettingAccess {
  return {
    write: (id, { name, value }) => writeRegister(bus, id, [name as RegisterName, value]),
    read: (id, name) => readRegister(bus, id, name as RegisterName),
  };
}
