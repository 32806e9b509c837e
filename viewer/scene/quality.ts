/** Lowers the quality of the drawing while frames are slow. */

/**
 * 0: full quality; 1: one pixel per CSS pixel; 2: smaller shadow map; 3: small shadow map with hard
 * edges.
 */
export type QualityLevel = 0 | 1 | 2 | 3;

const SLOW_MS = 28;
const SLOW_TOTAL_MS = 30 * SLOW_MS;
/** A longer gap means that the page was paused, not that the frame was slow. */
export const PAUSE_MS = 2000;
const LAST: QualityLevel = 3;

export interface QualityController {
  /** Adds the duration of a frame drawn directly after another; returns the current level. */
  addFrame(duration_ms: number): QualityLevel;
}

/**
 * Creates a controller that starts at a known level. Slow frames in a row, as long in total as 30
 * barely slow ones, lower the quality by one level. It never rises again, so that the picture does
 * not flicker.
 */
export function createQualityController(start: QualityLevel = 0): QualityController {
  let slow_ms = 0;
  let quality = start;
  return {
    addFrame(duration_ms) {
      if (duration_ms > PAUSE_MS) return quality;
      slow_ms = duration_ms > SLOW_MS ? slow_ms + duration_ms : 0;
      if (slow_ms >= SLOW_TOTAL_MS && quality < LAST) {
        quality = (quality + 1) as QualityLevel;
        slow_ms = 0;
      }
      return quality;
    },
  };
}

const PIXEL_RATIO_MAX = 2;

/** Device pixels per CSS pixel. */
export function pixelRatio(quality: QualityLevel): number {
  return quality > 0 ? 1 : Math.min(devicePixelRatio, PIXEL_RATIO_MAX);
}
