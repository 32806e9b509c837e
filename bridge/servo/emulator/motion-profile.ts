export interface ProfileLimits {
  /** Steps a millisecond; 0: no profile, the goal counts at once. */
  readonly velocity: number;
  /** Steps a millisecond squared; 0: no ramp. */
  readonly acceleration: number;
}

/**
 * The profile of a servo towards a new goal: immediate, constant speed, trapezoidal or time-based.
 * In encoder steps, one millisecond at a time.
 */
export class MotionProfile {
  /** Present position of the profile (steps). */
  position = 0;
  /** Steps a millisecond. */
  velocity = 0;

  /** Sets the profile at rest at a position. */
  resetTo(position: number): void {
    this.position = position;
    this.velocity = 0;
  }

  /** Advances by one millisecond towards `goal`. */
  step(goal: number, { velocity, acceleration }: ProfileLimits): void {
    const distance = goal - this.position;
    if (velocity === 0) {
      this.resetTo(goal);
      return;
    }
    const fastest =
      acceleration > 0
        ? Math.min(velocity, Math.sqrt(2 * acceleration * Math.abs(distance)))
        : velocity;
    const target = Math.sign(distance) * fastest;
    const change = acceleration > 0 ? acceleration : Number.POSITIVE_INFINITY;
    this.velocity += Math.min(change, Math.max(-change, target - this.velocity));
    if (Math.abs(distance) <= Math.abs(this.velocity)) this.resetTo(goal);
    else this.position += this.velocity;
  }
}
