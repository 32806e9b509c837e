/** A motor by the maker's curves at its nominal supply: N m and rad/s at the ends, A at stall. */
export interface Motor {
  readonly stall_n_m: number;
  readonly stall_a: number;
  readonly no_load_rad_s: number;
}

/** A motor from the maker's page, which gives its speed in turns a minute. */
export function motor(stall_n_m: number, stall_a: number, no_load_rpm: number): Motor {
  return { stall_n_m, stall_a, no_load_rad_s: (no_load_rpm * Math.PI) / 30 };
}

/** What is assumed of a motor that is not known. */
export const UNKNOWN_MOTOR = { stall_n_m: 1.5, stall_a: 1.5 };
