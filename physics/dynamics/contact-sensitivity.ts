/**
 * Torque residuals from which an external torque counts as a contact, at each sensitivity (D30).
 */
import { DETECTION } from '../arm/arm-model.ts';

const THRESHOLDS = Float64Array.from(DETECTION.threshold_n_m);

export type ContactSensitivity = keyof typeof DETECTION.sensitivity;

function thresholdsAt(sensitivity: ContactSensitivity): Float64Array {
  return THRESHOLDS.map((threshold) => DETECTION.sensitivity[sensitivity] * threshold);
}

/** Contact thresholds of the residual at each joint (N m), by sensitivity. */
export const CONTACT_THRESHOLDS_N_M: Readonly<Record<ContactSensitivity, Float64Array>> = {
  low: thresholdsAt('low'),
  medium: thresholdsAt('medium'),
  high: thresholdsAt('high'),
};
