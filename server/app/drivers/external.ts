import { RemoteArm } from '../../../bridge/remote-arm.ts';
import { createTransport, parseBusAddress } from '../../../bridge/transport/bus-address.ts';
import { systemBusClock } from '../../../bridge/transport/bus-clock.ts';
import { OptionError } from '../../cli/option-error.ts';
import type { CreateDriver } from './driver.ts';
import { checkRealTime } from './real-time.ts';

/** The joints that a program behind a TCP socket moves. */
export const external: CreateDriver = (config) => {
  checkRealTime(config);
  const address = parseBusAddress(config.bus);
  if (!address.ok || address.value.kind !== 'tcp') {
    throw new OptionError(
      'The driver external needs the program that moves the joints: --bus tcp://…',
    );
  }
  const driver = new RemoteArm(createTransport(address.value), systemBusClock);
  return { driver, world: null, instruments: null, busStatistics: () => ({}) };
};
