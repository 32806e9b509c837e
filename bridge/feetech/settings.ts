import type { Bus } from '../servo/bus/bus.ts';
import type { SettingAccess } from '../servo/servo-setting.ts';
import type { StsRegisterName } from './registers.ts';
import { readSts, writeSts } from './servo-requests.ts';

/** Settings of STS servos, which refuse no write: the lock of their EEPROM is open for each. */
export function stsSettings(bus: Bus): SettingAccess {
  return {
    async write(id, { name, value }) {
      await writeSts(bus, id, ['lock', 0]);
      await writeSts(bus, id, [name as StsRegisterName, value]);
      await writeSts(bus, id, ['lock', 1]);
    },
    read: (id, name) => readSts(bus, id, name as StsRegisterName),
  };
}
