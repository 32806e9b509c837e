/**
 * The input of the emergency stop: a contact on the external port of a servo, closed to ground in
 * normal operation, with the pull-up of the servo. A pressed stop, a pulled plug and a broken wire
 * read the same. It only makes the driver brake; a second contact in the supply cuts the power of
 * the motors.
 */

import type { Transaction } from '../servo/bus/bus.ts';
import type { EmergencyStopWiring } from '../servo/calibration/calibration.ts';
import * as request from './instructions.ts';
import { decodeValue, REGISTER, type RegisterName } from './registers.ts';

/** Pin mode with pull-up: an open contact reads 1. */
export const PULLED_UP = 2;
/** Debouncing: consecutive closed readings that count as released. */
const RELEASED_READS = 4;

const MODES = ['port_1_mode', 'port_2_mode', 'port_3_mode'] as const;
const DATA = ['port_1_data', 'port_2_data', 'port_3_data'] as const;

/** The setting that makes a pin the input of the contact. */
export function stopSetting({ port }: EmergencyStopWiring) {
  return { name: MODES[port - 1]!, value: PULLED_UP };
}

export class StopInput {
  /** True from the first open reading until the contact is closed for enough readings. */
  pressed = false;
  /** The request that reads the pin. */
  readonly request: Transaction;
  private readonly register: RegisterName;
  private closed_reads = 0;

  constructor({ id, port }: EmergencyStopWiring) {
    this.register = DATA[port - 1]!;
    const { [this.register]: span } = REGISTER;
    this.request = { packet: request.read(id, span), ids: [id], length: span.length };
  }

  /** Takes a reply; one without the level of the pin, as of a rejected read, counts as open. */
  update(data: Uint8Array): void {
    const span = REGISTER[this.register];
    const open = data.length !== span.length || decodeValue(data, 0, span) !== 0;
    this.closed_reads = open ? 0 : this.closed_reads + 1;
    if (open) this.pressed = true;
    else if (this.closed_reads >= RELEASED_READS) this.pressed = false;
  }
}
