import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchmarks } from './bench.mjs';
import { browsersOnPath } from './browser.mjs';
import { installProblem, isLinked, recordMatchesLock } from './install.mjs';
import { CHECKS, GENERATORS } from './named-scripts.mjs';
import { isAtLeast } from './node-version.mjs';
import { runToEnd } from './process.mjs';
import { BUILD_PACKAGES, packagesOfStart } from './start-packages.mjs';
import {
  countPlaywright,
  countSummary,
  countTypes,
  countVitest,
  countWhole,
  failuresIn,
  sumOf,
} from './test-counts.mjs';

describe('Node version', () => {
  it.each([
    ['20.19.0', true],
    ['20.18.9', false],
    ['22.0.0', true],
    ['18.20.5', false],
    ['20.20.2', true],
  ])('%s: %s', (version, expected) => {
    expect(isAtLeast(version, '20.19.0')).toBe(expected);
  });
});

describe('installed packages', () => {
  /** @param {object} packages */
  const file = (packages) => JSON.stringify({ packages });
  const lock = file({ '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'x' } });

  it('match with the same version and integrity', () => {
    expect(
      recordMatchesLock(lock, file({ 'node_modules/a': { version: '1.0.0', integrity: 'x' } })),
    ).toBe(true);
  });

  it('do not match with another version, a missing package, no record', () => {
    expect(
      recordMatchesLock(lock, file({ 'node_modules/a': { version: '1.0.1', integrity: 'x' } })),
    ).toBe(false);
    expect(recordMatchesLock(lock, file({}))).toBe(false);
    expect(recordMatchesLock(lock, '')).toBe(false);
  });

  it('are left alone in a linked folder, which belongs to another tree', () => {
    const folder = mkdtempSync(join(tmpdir(), 'armtwin-'));
    symlinkSync(folder, join(folder, 'link'));
    expect([isLinked(folder), isLinked(join(folder, 'link'))]).toEqual([false, true]);
    expect(isLinked(join(folder, 'absent'))).toBe(false);
  });

  it('ignores optional packages of other platforms', () => {
    const optional = file({ 'node_modules/b': { version: '1.0.0', optional: true } });
    expect(recordMatchesLock(optional, file({}))).toBe(true);
  });
});

describe('packages of a start', () => {
  const manifest = readFileSync('package.json', 'utf8');
  const lock = readFileSync('package-lock.json', 'utf8');

  it('are those of the program and of its build, as the lock has them', () => {
    const start = packagesOfStart(manifest, lock);
    const kept = JSON.parse(start.lock).packages;
    const all = JSON.parse(lock).packages;
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(manifest);
    const named = Object.keys({ ...dependencies, ...optionalDependencies });
    for (const name of [...named, ...BUILD_PACKAGES]) {
      expect(kept[`node_modules/${name}`], name).toEqual(all[`node_modules/${name}`]);
    }
    expect(Object.keys(JSON.parse(start.manifest).devDependencies)).toEqual(BUILD_PACKAGES);
    for (const name of BUILD_PACKAGES) expect(devDependencies, name).toHaveProperty([name]);
    expect(kept).toHaveProperty(['node_modules/@rolldown/binding-linux-arm64-gnu']);
    for (const name of ['@biomejs/biome', 'typescript']) {
      expect(kept).not.toHaveProperty([`node_modules/${name}`]);
    }
  });

  it('hold what each of them needs, also where it stands in a folder of its own', () => {
    const root = { dependencies: { a: '1' }, devDependencies: { vite: '1', unused: '1' } };
    /** @type {Record<string, object>} */
    const packages = {
      '': root,
      'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { c: '1', gone: '1' } },
      'node_modules/a/node_modules/b': { dependencies: { d: '1' } },
      'node_modules/b': {},
      'node_modules/c': { peerDependencies: { d: '1', e: '1' } },
      'node_modules/d': {},
      'node_modules/e': {
        peerDependencies: { unused: '1' },
        peerDependenciesMeta: { unused: { optional: true } },
      },
      'node_modules/unused': {},
      'node_modules/vite': {},
    };
    const kept = packagesOfStart(JSON.stringify(root), JSON.stringify({ packages })).lock;
    expect(Object.keys(JSON.parse(kept).packages).sort()).toEqual([
      '',
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
      'node_modules/d',
      'node_modules/e',
      'node_modules/vite',
    ]);
  });
});

describe('counts', () => {
  it('counts a tool as one item', () => {
    expect(countWhole(0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countWhole(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('counts each type error, and a crash without one', () => {
    expect(countTypes('a.ts(1,1): error TS1: x\nb.ts(1,1): error TS2: y\n', 2).failed).toBe(2);
    expect(countTypes('cannot start', 1).failed).toBe(1);
    expect(countTypes('', 0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  });

  it('reads a summary only from the last line', () => {
    expect(countSummary('9 passed, 9 failed\nok\n14 passed, 2 failed\n', 1)).toEqual({
      passed: 14,
      failed: 2,
      skipped: 0,
    });
    expect(countSummary('crashed', 1).failed).toBe(1);
  });

  it('counts a test file that does not load', () => {
    const report = JSON.stringify({
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [{ status: 'failed', assertionResults: [] }],
    });
    expect(countVitest(report, 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('names each failure once, without colours', () => {
    const unit = '\u001b[31m FAIL \u001b[39m  shared  a.test.ts > adds\n  ✓ fine\n';
    const rest = '  ✘  2 [quick] › e2e/b.spec.ts\n a.ts(1,2): error TS2322: no\n  1) c\n1 failed\n';
    expect(failuresIn(unit + rest + unit)).toEqual([
      'FAIL   shared  a.test.ts > adds',
      '✘  2 [quick] › e2e/b.spec.ts',
      'a.ts(1,2): error TS2322: no',
      '1) c',
    ]);
  });

  it('counts a flaky end-to-end test as failed, and no tests as a failure', () => {
    const report = (/** @type {number} */ expected) =>
      JSON.stringify({ stats: { expected, unexpected: 0, flaky: 1, skipped: 0 } });
    expect(countPlaywright(report(4), 0)).toEqual({ passed: 4, failed: 1, skipped: 0 });
    const none = JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 5 } });
    expect(countPlaywright(none, 0).failed).toBe(1);
  });

  it('sums', () => {
    expect(sumOf([countWhole(0), countWhole(1), countWhole(0)])).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
    });
  });
});

describe('child processes', () => {
  it('return output and exit code', async () => {
    const script = 'console.log("out"); console.error("err"); process.exit(3)';
    const done = await runToEnd(process.execPath, ['-e', script], { label: 'x' });
    expect(done.code).toBe(3);
    expect(done.output).toContain('out');
    expect(done.output).toContain('err');
  });

  it('return 127 for a command that does not exist', async () => {
    expect((await runToEnd('armtwin-no-such-command', [], { label: 'x' })).code).toBe(127);
  });
});

describe('browsers on PATH', () => {
  it('are found by name, best first', () => {
    const folder = mkdtempSync(join(tmpdir(), 'armtwin-'));
    for (const name of ['google-chrome', 'chromium', 'other']) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), 0o755);
    }
    expect(browsersOnPath(`/nowhere:${folder}`)).toEqual([
      join(folder, 'chromium'),
      join(folder, 'google-chrome'),
    ]);
  });
});

describe('an installation that fails', () => {
  const said = 'npm error code ECONNREFUSED\nnpm error FetchError: request to http://r/x failed';
  const trace =
    'npm error     at emitErrorEvent (node:_http_client:101:11)\nnpm error   port: 9,\nnpm error }';

  it('names the network where npm does not reach its registry, without its stack', () => {
    const text = installProblem({ code: 1, output: `${said}\n${trace}` });
    expect(text).toContain(said);
    expect(text).toContain('check the network and the proxy');
    expect(text).not.toMatch(/_http_client|port: 9|lockfile/);
  });

  it('names the lock elsewhere', () => {
    const text = installProblem({ code: 1, output: 'npm error code EUSAGE' });
    expect(text).toMatch(/EUSAGE\nnpm ci failed with exit code 1\. If the lock .* lockfile/);
  });
});

describe('scripts of package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const names = Object.keys(scripts);

  it('are sorted and run through tools/setup.mjs', () => {
    expect(names).toEqual(names.toSorted());
    for (const name of names) expect(scripts[name]).toBe(`node tools/setup.mjs ${name}`);
  });

  it('are commands of tools/setup.mjs, which lists them for an unknown command', async () => {
    const done = await runToEnd(process.execPath, ['tools/setup.mjs', 'nothing'], { label: 'x' });
    expect(done.code).toBe(2);
    for (const name of names) expect(done.output).toContain(`\n  ${name} `);
  });

  it.each(['bench', 'check', 'generate'])(
    '%s refuses an unknown name with the list',
    async (name) => {
      const args = ['tools/setup.mjs', name, 'nothing'];
      const done = await runToEnd(process.execPath, args, { label: name });
      expect([done.code, done.output]).toEqual([
        2,
        expect.stringMatching(/^Unknown .*\nusage: npm run /),
      ]);
    },
  );

  it('test refuses an unknown flag', async () => {
    const args = ['tools/setup.mjs', 'test', '--al'];
    const done = await runToEnd(process.execPath, args, { label: 'test' });
    expect([done.code, done.output]).toEqual([2, expect.stringContaining("not '--al'")]);
  });

  it('run files that exist', () => {
    const files = Object.values({ ...CHECKS, ...GENERATORS }).flatMap(({ node = [] }) =>
      node.filter((part) => /^(tools|e2e|node_modules)\//.test(part)),
    );
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect([...benchmarks().values()].filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the entries that the bundler names', () => {
  const CONFIG = 'server/vite.config.ts';
  const list = /const ENTRIES = \[(.*?)\];/s.exec(readFileSync(CONFIG, 'utf8'))?.[1] ?? '';
  const entries = [...list.matchAll(/'([^']+)'/g)].map(([, entry]) => `${entry}.ts`);

  it('exist', () => {
    expect(entries.length).toBeGreaterThan(10);
    const missing = entries.filter((entry) => !existsSync(entry));
    expect(missing, `${CONFIG} names files that are gone: npm run build fails`).toEqual([]);
  });

  it('hold what the rules load from the build', () => {
    const text = readFileSync('tools/setup/rules.mjs', 'utf8');
    const loaded = [...text.matchAll(/'([a-z/-]+)\.js'/g)].map(([, name]) => `${name}.ts`);
    expect(loaded.length).toBeGreaterThan(4);
    expect(loaded.filter((path) => !entries.includes(path))).toEqual([]);
  });

  it('hold the entry of every thread', () => {
    const product = readdirSync('server', { recursive: true, encoding: 'utf8' });
    const sources = product.filter((path) => path.endsWith('.ts')).map((path) => `server/${path}`);
    const started = sources.flatMap((path) => {
      const found = readFileSync(path, 'utf8').matchAll(
        /threadFile\(import\.meta\.url, '(.+?)'\)/g,
      );
      return [...found].map(([, name]) => join(dirname(path), `${name}.ts`));
    });
    expect(started.length).toBeGreaterThan(2);
    const advice = `add it to ENTRIES of ${CONFIG}, or the built program has no such file`;
    expect(
      started.filter((path) => !entries.includes(path)),
      advice,
    ).toEqual([]);
  });
});
