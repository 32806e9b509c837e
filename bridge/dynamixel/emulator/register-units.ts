/** Units and full scales of the registers of the emulated servos. */

/** 0.229 revolutions a minute (rad/s). */
export const VELOCITY_UNIT = (0.229 * 2 * Math.PI) / 60;

/** 214.577 revolutions a minute squared (rad/s²). */
export const ACCELERATION_UNIT = (214.577 * 2 * Math.PI) / 3600;

/** Full scale of the PWM registers. */
export const PWM_FULL = 885;
