/** The changelog of a release, and that every file names the version of the package. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  cutChangelog,
  filesWithText,
  isCut,
  isLater,
  isVersion,
  sectionOf,
  versionsIn,
  withVersion,
} from './changelog.mjs';

const CHANGELOG =
  '# Changelog\n\nWords.\n\n## Unreleased\n\n- A.\n- B.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n';
const NOW = { last: '0.1.0', date: '2026-02-03' };

describe('a cut of the changelog', () => {
  it('makes the entries of Unreleased the section of the version', () => {
    const cut = cutChangelog(CHANGELOG, { ...NOW, version: '0.2.0' });
    expect(cut).toContain('## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- A.\n- B.\n\n## 0.1.0');
    expect(sectionOf(cut, 'Unreleased')).toBe('');
    expect(sectionOf(cut, '0.2.0')).toBe('- A.\n- B.');
    expect(sectionOf(cut, '0.1.0')).toBe('- First.');
    expect(sectionOf(cut, '0.3.0')).toBeNull();
  });

  it.each([
    ['0.1.0', CHANGELOG, '0.1.0 is not later than 0.1.0'],
    ['0.0.9', CHANGELOG, '0.0.9 is not later than 0.1.0'],
    ['v0.2.0', CHANGELOG, 'v0.2.0 is not a version such as 1.2.0'],
    ['0.2', CHANGELOG, '0.2 is not a version'],
    ['0.2.0', CHANGELOG.replace('- A.\n- B.\n', ''), 'nothing under Unreleased'],
    ['0.2.0', '# Changelog\n', 'no section "## Unreleased"'],
  ])('refuses %s', (version, changelog, sentence) => {
    expect(() => cutChangelog(changelog, { ...NOW, version })).toThrow(sentence);
  });

  it('takes the present version when no section has it yet', () => {
    const first = '## Unreleased\n\n- A.\n';
    expect(cutChangelog(first, { ...NOW, version: '0.1.0' })).toContain('## 0.1.0 (2026-02-03)');
  });

  it('dates the section of a version that is not released', () => {
    const written = '# Changelog\n\n## 0.1.0 (unreleased)\n\n- A.\n';
    const cut = cutChangelog(written, { ...NOW, version: '0.1.0' });
    expect(cut).toBe('# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-02-03)\n\n- A.\n');
    expect([isCut(written, '0.1.0'), isCut(cut, '0.1.0'), isCut(cut, '0.2.0')]).toEqual([
      false,
      true,
      false,
    ]);
    expect(() => cutChangelog(cut, { ...NOW, version: '0.1.0' })).toThrow('not later than 0.1.0');
  });

  it('can cut the changelog of the repository', () => {
    const { version: last } = JSON.parse(readFileSync('package.json', 'utf8'));
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    const version = isCut(changelog, last) ? '1000.0.0' : last;
    expect(isCut(cutChangelog(changelog, { ...NOW, last, version }), version)).toBe(true);
  });
});

it('orders versions', () => {
  const order = ['0.1.0-rc.1', '0.1.0-rc.2', '0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0'];
  for (const [i, a] of order.entries()) {
    expect(isVersion(a)).toBe(true);
    for (const [j, b] of order.entries()) expect([a, b, isLater(a, b)]).toEqual([a, b, i > j]);
  }
});

describe('the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = filesWithText()
    .map((path) => /** @type {const} */ ([path, versionsIn(path, readFileSync(path, 'utf8'))]))
    .filter(([, found]) => found.length > 0);

  it('is the same in every file that names it', () => {
    expect(named.length).toBeGreaterThan(8);
    for (const [path, found] of named)
      expect([path, [...new Set(found)]]).toEqual([path, [version]]);
  });

  it('changes in all of them', () => {
    for (const [path, found] of named) {
      const text = readFileSync(path, 'utf8');
      const changed = withVersion(path, text, '7.8.9');
      expect([path, versionsIn(path, changed)]).toEqual([path, found.map(() => '7.8.9')]);
      expect(withVersion(path, changed, version)).toBe(text);
    }
  });
});
