/**
 * How options are defined: their environment variables, their parsers, and those that several
 * commands have.
 */

import { InvalidArgumentError, Option } from 'commander';
import { CHOICES } from './config.ts';
import type * as values from './option-parsers.ts';

/** Adapts an option parser to Commander, which expects errors to be thrown. */
export function parser<Value>(read: (text: string, before?: Value) => values.Parsed<Value>) {
  return (text: string, before: Value | undefined): Value => {
    const result = read(text, before);
    if (result.ok) return result.value;
    throw new InvalidArgumentError(result.error);
  };
}

/** An option with its environment variable. */
export function option(flags: string, text: string, environment: string): Option {
  return new Option(flags, text).env(`ARMTWIN_${environment}`);
}

/** The family of the servos on a bus. */
export function familyOption(usual = `of the calibration, else ${CHOICES.servoFamily[0]}`): Option {
  const text = `family of the servos (default: ${usual})`;
  return option('--servo-family <name>', text, 'SERVO_FAMILY').choices(CHOICES.servoFamily);
}

export const BUS_TEXT = 'servo bus: memory, tcp://host:port or serial:/dev/ttyUSB0[@baud]';
