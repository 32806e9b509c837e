import { type Motor, motor } from '../servo/calibration/motor.ts';

/** Motors of DYNAMIXEL servos by model, from the maker's pages. */
export const MOTORS: Readonly<Record<string, Motor>> = {
  'XM430-W350': motor(4.1, 2.3, 46),
  'XM430-W210': motor(3, 2.3, 77),
  'XM540-W270': motor(10.6, 4.4, 30),
  'XM540-W150': motor(7.3, 4.4, 53),
  'XL430-W250': motor(1.5, 1.4, 61),
  'XL330-M288': motor(0.52, 1.47, 103),
  'XL330-M077': motor(0.215, 1.47, 383),
};
