import { type Motor, motor } from '../servo/calibration/motor.ts';

/** Motors of Feetech servos by model, from the maker's pages. */
export const STS_MOTORS: Readonly<Record<string, Motor>> = { STS3215: motor(2.94, 2.7, 45) };
