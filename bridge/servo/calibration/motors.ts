/** The motors of servo models at their nominal supply, by the makers' curves. */

/** A motor by the maker's curves at its nominal supply: N m and rad/s at the ends, A at stall. */
interface Motor {
  readonly stall_n_m: number;
  readonly stall_a: number;
  readonly no_load_rad_s: number;
}

function motor(stall_n_m: number, stall_a: number, no_load_rpm: number): Motor {
  return { stall_n_m, stall_a, no_load_rad_s: (no_load_rpm * Math.PI) / 30 };
}

/** By model, from the makers' pages. */
export const MOTORS: Readonly<Record<string, Motor>> = {
  'XM430-W350': motor(4.1, 2.3, 46),
  'XM430-W210': motor(3, 2.3, 77),
  'XM540-W270': motor(10.6, 4.4, 30),
  'XM540-W150': motor(7.3, 4.4, 53),
  'XL330-M288': motor(0.52, 1.47, 103),
  'XL330-M077': motor(0.215, 1.47, 383),
  STS3215: motor(2.94, 2.7, 45),
};
export const UNKNOWN_MOTOR = { stall_n_m: 1.5, stall_a: 1.5 };
