/** Joints slower than this are at rest (rad/s): two steps of the servos' velocity register. */
export const STILL_RAD_S = 0.05;

/** Slower is rest in any register: one step of the finest of all families (rad/s). */
const REST_RAD_S = 0.0017;
/** Rest is shown for so long: two samples at 125 Hz, as one of a slow joint may read zero (ms). */
const REST_MS = 16;
/** A joint this long below STILL_RAD_S has settled: what its register still shows is noise (ms). */
const SETTLED_MS = 250;

/** Whether the joints stand: all show no speed, or have been too slow to be sure for a while. */
export class Standstill {
  private moved_ms = Number.NEGATIVE_INFINITY;
  /** Since when joints are slow without a rest; null: they rest. */
  private slow_ms: number | null = null;

  /** Takes speeds; `moving` while goals change. Returns true while the joints stand. */
  update(velocity_rad_s: Float64Array, now_ms: number, moving: boolean): boolean {
    let fastest = moving ? STILL_RAD_S : 0;
    for (let j = 0; j < 6; j++) fastest = Math.max(fastest, Math.abs(velocity_rad_s[j]!));
    if (fastest >= REST_RAD_S) this.moved_ms = now_ms;
    const rests = now_ms - this.moved_ms > REST_MS;
    if (rests) this.slow_ms = null;
    else if (fastest >= STILL_RAD_S) this.slow_ms = now_ms;
    else this.slow_ms ??= now_ms;
    return rests || now_ms - (this.slow_ms ?? now_ms) > SETTLED_MS;
  }
}
