/** One plant step (s). */
export const PLANT_STEP_S = 0.001;
