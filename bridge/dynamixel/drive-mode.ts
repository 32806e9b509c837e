/** The bits of the drive mode that change what a servo does with a goal. */

/** Drive mode bit of a servo that counts the other way, and its name in sentences. */
export const REVERSE_BIT = 1;
export const REVERSE_BIT_NAME = 'bit 0 of its drive mode (register 10)';
/** Drive mode bit of a servo that takes its PWM from another one, by a sync cable. */
export const SLAVE_BIT = 2;
/** Bits that a start clears: time-based profiles, and torque on by a goal. */
export const DRIVE_MODE_WRONG = 0x0c;
