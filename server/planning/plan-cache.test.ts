/** The cache of planning results: sharing, eviction, and values that are not cached. */
import { describe, expect, it } from 'vitest';
import { PlanCache } from './plan-cache.ts';

function cacheOf(limit_bytes: number) {
  const planned: string[] = [];
  const cache = new PlanCache<string>(limit_bytes, (value) =>
    value.startsWith('late') ? null : value.length,
  );
  const get = (key: string, value = key) =>
    cache.get(key, async () => {
      planned.push(key);
      return value;
    });
  return { cache, planned, get };
}

describe('the plan cache', () => {
  it('plans once for concurrent calls', async () => {
    const { planned, get } = cacheOf(100);
    expect(await Promise.all([get('a'), get('a')])).toEqual(['a', 'a']);
    expect(planned).toEqual(['a']);
  });

  it('evicts the least recently used entry when it is full', async () => {
    const { cache, planned, get } = cacheOf(10);
    await get('aaaa');
    await get('bbbb');
    await get('aaaa');
    await get('cccc');
    await get('aaaa');
    await get('bbbb');
    expect(planned).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb']);
    expect(cache.bytes).toBeLessThanOrEqual(10);
  });

  it('does not cache a value larger than the limit', async () => {
    const { cache, planned, get } = cacheOf(3);
    await get('aaaa');
    await get('aaaa');
    expect(planned).toEqual(['aaaa', 'aaaa']);
    expect(cache.bytes).toBe(0);
  });

  it('does not cache a value without a size', async () => {
    const { cache, planned, get } = cacheOf(100);
    await get('key', 'late');
    await get('key', 'late');
    expect(planned).toEqual(['key', 'key']);
    expect(cache.bytes).toBe(0);
  });

  it('does not cache rejections', async () => {
    const { cache } = cacheOf(100);
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('a', async () => 'yes')).toBe('yes');
  });
});
