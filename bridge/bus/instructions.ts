/** The vocabulary of DYNAMIXEL Protocol 2.0: codes of instructions and of errors, as tables. */

export const INSTRUCTION = {
  ping: 0x01,
  read: 0x02,
  write: 0x03,
  reg_write: 0x04,
  action: 0x05,
  factory_reset: 0x06,
  reboot: 0x08,
  clear: 0x10,
  control_table_backup: 0x20,
  status: 0x55,
  sync_read: 0x82,
  sync_write: 0x83,
  fast_sync_read: 0x8a,
  bulk_read: 0x92,
  bulk_write: 0x93,
  fast_bulk_read: 0x9a,
} as const;

/** Addresses everybody; nobody's own id. */
export const BROADCAST_ID = 254;
/** Usable ids are 0..252. */
export const HIGHEST_ID = 252;

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

/** The error number of a status, the alert bit left out, in words. */
export function errorText(error: number): string {
  return ERRORS[error & 0x7f] ?? `error ${error & 0x7f}`;
}
