/**
 * The arm as its vertical plane sees it: the lengths that closed forms use, derived once from the
 * chain of arm-model.json. Axes 2 and 3 are parallel, axes 4 and 5 meet in the wrist centre, and
 * axis 6 lies WRIST_M beside it (facts of the chain: spec §2.8).
 */
import { FLANGE_M, OFFSETS_M } from '../arm/arm-model.ts';

/** Height of axis 2 above the base plate (m). */
export const SHOULDER_HEIGHT_M = OFFSETS_M[0]![2]! + OFFSETS_M[1]![2]!;
/** Distance of axis 2 from axis 1 (m). */
export const SHOULDER_M = OFFSETS_M[1]![0]!;
/** Axis 2 to axis 3 (m). */
export const UPPER_ARM_M = OFFSETS_M[2]![2]!;
/** Offset of the forearm line from axis 3, toward -x of link 3 (m). */
export const FOREARM_OFFSET_M = 0 - OFFSETS_M[3]![0]!;
/** Axis 3 to the wrist centre along the forearm (m). */
export const FOREARM_M = OFFSETS_M[3]![2]! + OFFSETS_M[4]![2]!;
/** Axis 3 to the wrist centre, straight (m). */
export const ELBOW_M = Math.sqrt(FOREARM_OFFSET_M * FOREARM_OFFSET_M + FOREARM_M * FOREARM_M);
/** Wrist centre to axis 6 (m). */
export const WRIST_M = 0 - OFFSETS_M[5]![0]!;
/** Wrist centre to flange along axis 6 (m). */
export const HAND_M = OFFSETS_M[5]![2]! + FLANGE_M;
