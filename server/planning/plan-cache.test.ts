/** What the cache of plans keeps, and for how long. */
import { describe, expect, it } from 'vitest';
import { PlanCache } from './plan-cache.ts';

function cacheOf(limit_bytes: number) {
  const planned: string[] = [];
  const cache = new PlanCache<string>(limit_bytes, (value) =>
    value.startsWith('late') ? null : value.length,
  );
  const ask = (key: string, value = key) =>
    cache.get(key, async () => {
      planned.push(key);
      return value;
    });
  return { cache, planned, ask };
}

describe('the cache of plans', () => {
  it('plans once for calls that come at the same time', async () => {
    const { planned, ask } = cacheOf(100);
    expect(await Promise.all([ask('a'), ask('a')])).toEqual(['a', 'a']);
    expect(planned).toEqual(['a']);
  });

  it('drops what was used longest ago when it is full', async () => {
    const { cache, planned, ask } = cacheOf(10);
    await ask('aaaa');
    await ask('bbbb');
    await ask('aaaa');
    await ask('cccc');
    await ask('aaaa');
    await ask('bbbb');
    expect(planned).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb']);
    expect(cache.bytes).toBeLessThanOrEqual(10);
  });

  it('does not keep what is larger than all of it', async () => {
    const { cache, planned, ask } = cacheOf(3);
    await ask('aaaa');
    await ask('aaaa');
    expect(planned).toEqual(['aaaa', 'aaaa']);
    expect(cache.bytes).toBe(0);
  });

  it('does not keep what its size function refuses', async () => {
    const { cache, planned, ask } = cacheOf(100);
    await ask('key', 'late');
    await ask('key', 'late');
    expect(planned).toEqual(['key', 'key']);
    expect(cache.bytes).toBe(0);
  });

  it('does not keep failures', async () => {
    const { cache } = cacheOf(100);
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('a', async () => 'yes')).toBe('yes');
  });
});
