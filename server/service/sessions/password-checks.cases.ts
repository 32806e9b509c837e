/** Password checks with a clock that a test sets, and an account. */
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';
import { type PasswordAttempt, PasswordChecks } from './password-checks.ts';

export const RIGHT = 'the right password';

/** Checks with a clock that a test sets, and an account of theirs. */
export async function checksOfAda() {
  const time = { now_ms: 0 };
  const wall: WallClock = { ...systemClock, now_ms: () => time.now_ms };
  const checks = new PasswordChecks(wall);
  const stored = await checks.hash(RIGHT);
  const attempt = (password: string, more: Partial<PasswordAttempt> = {}) =>
    checks.verify({
      ...{ email: 'ada@example.org', address: '::1', password, stored, isAdmin: false },
      ...more,
    });
  return { checks, time, attempt };
}
