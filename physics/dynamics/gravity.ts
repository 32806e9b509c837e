/** Acceleration of gravity (m/s²). */
export const GRAVITY_M_S2 = 9.81;
