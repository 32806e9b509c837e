/** The error of a status: its number as text, and the alert bit. */

/** Set in every status while the hardware error register is not zero. */
export const ALERT_BIT = 0x80;

const ERRORS: readonly string[] = [
  'no error',
  'the instruction could not be carried out',
  'the instruction is unknown',
  'the checksum is wrong',
  'the value is out of the range of its register',
  'the data are too short for the register',
  'the value is beyond a limit set in the servo',
  'the register is read-only, undefined or locked while torque is on',
];

/** The error number of a status as text, without the alert bit. */
export function statusErrorText(error: number): string {
  return ERRORS[error & 0x7f] ?? `error ${error & 0x7f}`;
}
