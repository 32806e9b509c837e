import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completeLock, missingOptional, platformOf } from './platform-packages.mjs';

/** @type {import('./platform-packages.mjs').Lock} */
const LOCK = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const ENTRIES = Object.entries(LOCK.packages).map(([path, entry]) => ({
  name: path.replace(/^.*node_modules\//, ''),
  ...entry,
}));

describe('package-lock.json', () => {
  it('has an entry for every optional dependency, so that npm ci works everywhere', () => {
    expect(missingOptional(LOCK)).toEqual([]);
  });

  it('lists only packages of other platforms without integrity', () => {
    const open = ENTRIES.slice(1).filter(({ integrity }) => integrity === undefined);
    for (const { name, optional, os } of open) {
      expect([name, optional, os]).toEqual([name, true, expect.any(Array)]);
    }
  });
});

describe('platform of a package', () => {
  const names = ENTRIES.map(({ name }) => name);
  const published = ENTRIES.filter(({ os, integrity }) => os && integrity);

  it('has many published entries to compare with', () => {
    expect(published.length).toBeGreaterThan(80);
  });

  it.each(published)('$name: as published', ({ name, os, cpu, libc }) => {
    const said = platformOf(name, names);
    // Some packages are for several processors or all of a system; their names do not say so.
    if (said === null) return expect(cpu?.length !== 1 || os?.length !== 1).toBe(true);
    return expect(said).toEqual({ os, cpu, ...(libc ? { libc } : {}) });
  });

  it('completes what was taken out of the lock', () => {
    const without = Object.fromEntries(
      Object.entries(LOCK.packages).filter(([path]) => !path.includes('@esbuild/')),
    );
    const { lock, added } = completeLock({ packages: without });
    expect(added.length).toBeGreaterThan(20);
    expect(missingOptional(lock)).toEqual([]);
    expect(Object.keys(lock.packages)).toEqual(Object.keys(LOCK.packages));
  });

  it('refuses what only a registry can answer', () => {
    /** @param {string} name @param {string} version */
    const lock = (name, version) => ({
      packages: { '': { optionalDependencies: { [name]: version } } },
    });
    expect(() => completeLock(lock('fsevents', '2.3.3'))).toThrow(/fsevents 2.3.3/);
    expect(() => completeLock(lock('a-linux-x64', '^1.0.0'))).toThrow(/\^1.0.0/);
  });
});
