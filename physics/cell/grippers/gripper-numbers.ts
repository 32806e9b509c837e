/** The numbers of a gripper's state in the order of its memory; the first 16 have getters there. */
import { MOTION_SIZE } from './held-motion.ts';

const MOTION = 16;
const TARGET = MOTION + MOTION_SIZE;

/** Where each number is. */
export const GRIPPER_NUMBERS = {
  motion: MOTION,
  /** What it was to take: number + 1, or -1 for nothing, and the position of that. */
  target: TARGET,
  /** Steps for which something has kept the jaws from moving. */
  stalled: TARGET + 4,
  /** Steps since the held body last slipped. */
  calm: TARGET + 5,
  /** 1 if an object stood out of the open jaws, met by their ends: they must open first. */
  endsMet: TARGET + 6,
  /** 1 while a surface carries a body that is too heavy for the grip. */
  stands: TARGET + 7,
  /** Where the held body was in the flange frame when it began to stand. */
  stood: TARGET + 8,
  /** 1 if a surface pressed the body along the pads in this step. */
  yielded: TARGET + 11,
  /** Number + 1 of a body that was lost; a cup takes it again only after it was off it. */
  lost: TARGET + 12,
  size: TARGET + 13,
} as const;
