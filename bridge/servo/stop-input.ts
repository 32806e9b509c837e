/**
 * The emergency stop's contact on a servo's external port: closed to ground while all is well, with
 * the servo's pull-up behind it, so that a pressed stop, a pulled plug and a broken wire read the
 * same. It tells the arm to stop; what cuts the motors' power is a second contact, in the supply.
 */
import type { Transaction } from '../bus/bus.ts';
import { numberOf, REGISTER, type RegisterName } from '../bus/registers.ts';
import * as request from '../bus/request.ts';
import type { StopWiring } from './calibration.ts';

/** The mode of a pin that reads 1 when nothing holds it down. */
export const PULLED_UP = 2;
/** Contacts bounce: a release counts when it was seen so often in a row. */
const RELEASED_LOOKS = 4;

const MODES = ['port_1_mode', 'port_2_mode', 'port_3_mode'] as const;
const DATA = ['port_1_data', 'port_2_data', 'port_3_data'] as const;

/** The setting that makes a pin an input for the contact. */
export function stopSetting({ port }: StopWiring): [RegisterName, number] {
  return [MODES[port - 1]!, PULLED_UP];
}

export class StopInput {
  /** True from the first look that finds the contact open until it is closed for good. */
  pressed = false;
  /** What to ask the servo. */
  readonly question: Transaction;
  private readonly register: RegisterName;
  private closed_looks = 0;

  constructor({ id, port }: StopWiring) {
    this.register = DATA[port - 1]!;
    const { [this.register]: span } = REGISTER;
    this.question = { packet: request.read(id, span), ids: [id], length: span.length };
  }

  /** Takes an answer; one without the pin's level (as of a refused question) counts as open. */
  take(data: Uint8Array): void {
    const span = REGISTER[this.register];
    const open = data.length !== span.length || numberOf(data, 0, span) !== 0;
    this.closed_looks = open ? 0 : this.closed_looks + 1;
    if (open) this.pressed = true;
    else if (this.closed_looks >= RELEASED_LOOKS) this.pressed = false;
  }
}
