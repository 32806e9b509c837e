/**
 * Decides from frame times how much the scene may cost: slow frames in a row, as long together as
 * 30 barely slow ones, take it one step down, never up again, so that it does not flicker. Pure.
 */

/** 0: full; 1: one pixel per screen pixel; 2: a smaller shadow map; 3: a hard, tiny one. */
export type Thrift = 0 | 1 | 2 | 3;

const SLOW_MS = 28;
const SLOW_TOTAL_MS = 30 * SLOW_MS;
/** A longer gap is a pause of the page, not a slow frame. */
const PAUSE_MS = 2000;
const LAST: Thrift = 3;

export interface FrameRate {
  /** Tells of a frame drawn right after another; answers the step that now holds. */
  frame(duration_ms: number): Thrift;
}

/** Starts at the step that is known to be needed. */
export function createFrameRate(start: Thrift = 0): FrameRate {
  let slow_ms = 0;
  let thrift = start;
  return {
    frame(duration_ms) {
      if (duration_ms > PAUSE_MS) return thrift;
      slow_ms = duration_ms > SLOW_MS ? slow_ms + duration_ms : 0;
      if (slow_ms >= SLOW_TOTAL_MS && thrift < LAST) {
        thrift = (thrift + 1) as Thrift;
        slow_ms = 0;
      }
      return thrift;
    },
  };
}
