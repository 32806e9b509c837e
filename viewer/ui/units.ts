/** The units in which the page shows and reads what the API has in metres and radians. */

export const MM_PER_M = 1000;
export const RAD_PER_DEG = Math.PI / 180;

/** The names of the axes of a frame. */
export const AXES = ['x', 'y', 'z'] as const;
