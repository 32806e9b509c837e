/** The journal over HTTP: search, verification and near misses. */
import { describe, expect, it } from 'vitest';
import { withTwinClient } from './twin-client.cases.ts';

describe('the journal', () => {
  it('finds calls with the SHA-256 of their body', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [0.1, 0, 0, 0, 0, 0] });
      const { entries } = await arm.searchJournal({ path: '/api/v1/controls/*' });
      expect(entries.map(({ method, path, status }) => [method, path, status])).toEqual([
        ['POST', '/api/v1/controls/lock', 200],
        ['POST', '/api/v1/controls/go_to', 204],
      ]);
      expect(entries[1]).toMatchObject({ user_id: 1, tick: 0 });
    });
  });

  it('verifies calls regardless of the order of keys, and lists near misses', async () => {
    await withTwinClient({}, async ({ arm }) => {
      await arm.takeLock();
      await arm.goTo({ mode: 'teach', joints: [0.1, 0, 0, 0, 0, 0] });
      const call = { method: 'POST', path: '/api/v1/controls/go_to' } as const;
      const body = { joints: [0.1, 0, 0, 0, 0, 0], mode: 'teach' };
      expect(await arm.verifyJournal({ ...call, body, times: 1 })).toEqual({
        holds: true,
        matched: 1,
        near_misses: [],
      });
      const other = await arm.verifyJournal({ ...call, body: { ...body, mode: 'automatic' } });
      expect(other).toMatchObject({ holds: false, matched: 0 });
      expect(other.near_misses[0]).toMatchObject({
        differs: ['body'],
        entry: { path: '/api/v1/controls/go_to' },
      });
    });
  });
});
