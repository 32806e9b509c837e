/** What these servos cannot do; doctor, start and documents say it. */
export const STS_LACKS: readonly string[] = [
  'have no watchdog: when this program dies or stands still, each joint goes to its last goal ' +
    'and holds there until its power is cut',
  'have no speed limit of their own, and no limit of the current: limits.pwm_percent limits torque',
  'have no clock: late answers differ by their length only, and no model runs beside them',
];
