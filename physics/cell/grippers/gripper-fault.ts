/** Injected faults of a gripper, and how they weaken its grip. Times in s. */

/** Injected faults of one gripper; null: none. Times count from the grasp (s). */
export interface GripperFault {
  /** The gripper does not move. */
  readonly isJammed: boolean;
  /** From then on it holds with no force. */
  readonly slipsAfter_s: number | null;
  /** Its force falls evenly to nothing in this time. */
  readonly leaksIn_s: number | null;
}

/** A gripper without faults. */
export const SOUND_GRIPPER: GripperFault = {
  isJammed: false,
  slipsAfter_s: null,
  leaksIn_s: null,
};

/** Share of its force that a fault leaves to a gripper, `held_s` after the grasp. */
export function forceShareOf({ slipsAfter_s, leaksIn_s }: GripperFault, held_s: number): number {
  if (slipsAfter_s !== null && held_s >= slipsAfter_s) return 0;
  return leaksIn_s === null ? 1 : Math.max(0, 1 - held_s / leaksIn_s);
}

/** The fault behind a lost grip, as the end of a sentence; empty without one. */
export function lostGripCause(
  { slipsAfter_s }: GripperFault,
  share: number,
  force_n: number,
): string {
  if (share === 1) return '';
  if (slipsAfter_s !== null) return `; its grip failed ${slipsAfter_s} s after the grasp`;
  return `; its vacuum leaks and holds ${(force_n * share).toFixed(1)} N`;
}
