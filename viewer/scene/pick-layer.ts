/** Layer of what a pointer meets but the camera does not draw. */
export const PICK_LAYER = 1;
