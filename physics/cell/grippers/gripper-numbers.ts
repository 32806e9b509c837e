/** The numbers of a gripper's state in the order of its memory. */

import { Layout } from '../../math/layout.ts';
import { SOLID_POSE } from '../pose.ts';
import { HELD_MOTION } from './held-motion.ts';

/** The parts of the state. */
export const GRIPPER_NUMBERS = new Layout({
  /** What is left of its stroke to close; of a cup the share of the vacuum that is missing. */
  opening: 1,
  /** 1 if it closes or is closed. */
  isClosed: 1,
  /** Number of the held body, or -1. */
  holds: 1,
  /** Pose of the held body in the flange frame. */
  held: SOLID_POSE,
  /** Slip velocity along the pads, in the grasp frame (m/s). */
  slip: 3,
  /** 1 once it has said that it missed. */
  hasMissed: 1,
  /** JAM: what became of a command that a jam defeated. */
  jam: 1,
  motion: HELD_MOTION.size,
  /** What it was to take: number + 1, -1 for nothing, or 0 before it has looked. */
  target: 1,
  /** Where that was. */
  targetPosition: 3,
  /** Steps for which something has kept the jaws from moving. */
  stalled: 1,
  /** Steps since the held body last slipped. */
  calm: 1,
  /** 1 if an object stood out of the open jaws, met by their ends: they must open first. */
  endsMet: 1,
  /** 1 while a surface carries a body that is too heavy for the grip. */
  stands: 1,
  /** Where the held body was in the flange frame when it began to stand. */
  stood: 3,
  /** 1 if a surface pressed the body along the pads in this step. */
  yielded: 1,
  /** Number + 1 of a body that was lost; a cup takes it again only after it was off it. */
  lost: 1,
});

/** No jam; a jam that is to be reported in this step; one that was reported. */
export const JAM = { none: 0, met: 1, reported: 2 } as const;
