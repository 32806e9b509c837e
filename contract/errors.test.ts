import { expect, it } from 'vitest';
import { ERROR_ROWS, type ErrorRow, errorReply, REFUSAL_PRECEDENCE } from './errors.ts';

const rows: readonly ErrorRow[] = Object.values(ERROR_ROWS);

it('uses only the error codes of the spec', () => {
  const codes = [...new Set(rows.map((row) => row.error_code))].sort();
  expect(codes).toEqual([0, 1, 3, 4, 5, 6, 8]);
});

it('has the right status for each error code', () => {
  const statuses = new Map([
    [0, [400]],
    [3, [403]],
    [4, [403]],
    [6, [401]],
    [5, [401, 429]],
    [1, [400, 409, 429, 500, 502, 503, 504, 507]],
    [8, [400, 404, 405, 413, 415, 417, 421, 426, 501]],
  ]);
  for (const [name, { status, error_code }] of Object.entries(ERROR_ROWS)) {
    const known = statuses.get(error_code)?.join(', ');
    const advice = `${name}: error_code ${error_code} has the statuses ${known}; take one of them, \
or add ${status} here and in §7 of docs/reference/arm-api.md`;
    expect(statuses.get(error_code), advice).toContain(status);
  }
});

it('puts details into every body, null without details', () => {
  expect(errorReply('wrong_state')).toEqual({
    error: { error_code: 1, title: 'ERROR_WRONG_STATE', details: null },
  });
});

it('replaces {count} in titles', () => {
  expect(errorReply('invalid_changes', [], 3).error.title).toBe('3 invalid changes');
});

it('has the titles of the spec', () => {
  expect(ERROR_ROWS.lock_held_by_other.title).toBe('lock already owned by someone else');
  expect(ERROR_ROWS.lock_not_held.title).toBe("you don't own the robot lock");
});

it('lists each refusal once: identity before role before body', () => {
  expect(new Set(REFUSAL_PRECEDENCE).size).toBe(REFUSAL_PRECEDENCE.length);
  const at = (name: (typeof REFUSAL_PRECEDENCE)[number]) => REFUSAL_PRECEDENCE.indexOf(name);
  expect(at('not_authenticated')).toBeLessThan(at('role_too_low'));
  expect(at('role_too_low')).toBeLessThan(at('malformed_body'));
  expect(at('not_found')).toBeLessThan(at('lock_not_held'));
  expect(at('lock_not_held')).toBeLessThan(at('wrong_state'));
});
