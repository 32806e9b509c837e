/**
 * Decides from frame times how much the scene may cost: after 30 slow frames in a row it goes one
 * step down (fewer pixels, then a smaller shadow map), never up again, so that it does not flicker.
 * Pure.
 */

/** 0: full; 1: one pixel per screen pixel; 2: small shadow map as well. */
export type Thrift = 0 | 1 | 2;

const SLOW_MS = 28;
const SLOW_FRAMES = 30;
/** A longer gap is a pause of the page, not a slow frame. */
const PAUSE_MS = 1000;

export interface FrameRate {
  /** Tells of a frame drawn right after another; answers the step that now holds. */
  frame(duration_ms: number): Thrift;
}

export function createFrameRate(): FrameRate {
  let slow = 0;
  let thrift: Thrift = 0;
  return {
    frame(duration_ms) {
      if (duration_ms > PAUSE_MS) return thrift;
      slow = duration_ms > SLOW_MS ? slow + 1 : 0;
      if (slow >= SLOW_FRAMES && thrift < 2) {
        thrift = (thrift + 1) as Thrift;
        slow = 0;
      }
      return thrift;
    },
  };
}
