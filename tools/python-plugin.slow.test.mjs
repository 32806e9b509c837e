/**
 * Runs the examples of the pytest plugin (python/) and the test of docs/tutorial.md against the
 * program; skips without pytest.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBuilt } from './setup/build.mjs';
import { correctedToolpath, tutorialBlocks } from './tutorial-blocks.mjs';

/** The path of the first Python that has pytest: a test runs it with an empty PATH. */
const PYTHON = ['/usr/bin/python3', 'python3']
  .map((name) => {
    const code = 'import sys, pytest; print(sys.executable)';
    return spawnSync(name, ['-c', code], { encoding: 'utf8' }).stdout?.trim();
  })
  .find(Boolean);
/** @param {string} module */
const has = (module) =>
  PYTHON !== undefined && spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0;
/** An installed copy of the plugin would be registered twice. */
const ALONE = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' };
const PROGRAM = isBuilt()
  ? [resolve('dist/server/main.js')]
  : ['--import', 'tsx', resolve('server/main.ts')];
const COMMAND = [process.execPath, ...PROGRAM].join(' ');

/** @param {string[]} flags @param {Record<string, string>} [env] @param {string} [cwd] */
function pytest(flags, env = {}, cwd = '.') {
  const path = [resolve('python'), process.env['PYTHONPATH']].filter(Boolean).join(':');
  const args = ['-m', 'pytest', '-q', '-p', 'pytest_armtwin.plugin', '-p', 'no:cacheprovider'];
  const done = spawnSync(String(PYTHON), [...args, ...flags], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1', ...ALONE },
  });
  return `${done.stdout}${done.stderr}`;
}

describe.skipIf(PYTHON === undefined)('the pytest plugin (needs python3 with pytest)', () => {
  it('passes its examples against the program', () => {
    const output = pytest(['python/tests', '--armtwin', COMMAND]);
    expect(output).toMatch(/\b(110|113) passed/);
    expect(output).not.toMatch(/failed|error/);
  }, 120_000);

  it('passes the example of docs/testing.md', () => {
    const output = pytest(['testing/examples/test_situations.py', '--armtwin', COMMAND]);
    expect(output).toContain('3 passed');
  }, 60_000);

  it('passes the test of README.md', () => {
    const folder = resolve('node_modules/.cache/armtwin/readme-test');
    mkdirSync(folder, { recursive: true });
    const [, text = ''] = /```py\n(def test_.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
    writeFileSync(join(folder, 'test_arm.py'), text);
    const output = pytest(['--armtwin', COMMAND], {}, folder);
    rmSync(folder, { recursive: true });
    expect(output).toContain('1 passed');
  }, 60_000);

  it('passes the test of docs/tutorial.md', () => {
    const folder = resolve('node_modules/.cache/armtwin/tutorial');
    mkdirSync(folder, { recursive: true });
    for (const { name, text } of tutorialBlocks().files) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'pick.json'), correctedToolpath());
    const output = pytest(['--armtwin', COMMAND], {}, folder);
    rmSync(folder, { recursive: true });
    expect(output).toContain('1 passed');
  }, 60_000);

  it('says what to do when armtwin is missing, or does not start', () => {
    const one = 'python/tests/test_twin.py::test_go_to_arrives';
    expect(pytest([one, '--armtwin', 'no-such-program'])).toContain(
      'no-such-program cannot be started: it was not found',
    );
    const wrong = `${process.execPath} -e process.exit(3)`;
    expect(pytest([one, '--armtwin', wrong])).toContain('did not become ready');
    expect(pytest([one], { PATH: '' })).toContain('armtwin was not found: install the wheel');
    expect(pytest([one, '--armtwin', '.'], { PATH: '' })).toContain('Node is missing');
    expect(pytest([one, '--armtwin', 'docs'])).toContain('docs has no armtwin: name a clone');
  }, 60_000);

  it('refuses workers that share one twin', () => {
    const worker = { PYTEST_XDIST_WORKER: 'gw0' };
    const shared = pytest(['python/tests', '--armtwin-url', 'http://127.0.0.1:1'], worker);
    expect(shared).toContain('would share and reset the one twin');
    expect(pytest(['python/tests'], { ...worker, ARMTWIN_URL: 'http://127.0.0.1:1' })).toContain(
      'would share and reset the one twin',
    );
  }, 60_000);

  it('skips a missing SDK only, names a wrong marker, and hides its own frames', () => {
    const folder = resolve('node_modules/.cache/armtwin/plugin');
    mkdirSync(join(folder, 'evasdk'), { recursive: true });
    writeFileSync(join(folder, 'evasdk/__init__.py'), 'import no_such_dependency\n');
    const test = [
      'import pytest',
      'def test_sdk(eva): pass',
      '@pytest.mark.armtwin_clock',
      'def test_clock(twin): pass',
      'def test_refused(twin): twin.call("POST", "/api/v1/controls/pause")',
    ];
    writeFileSync(join(folder, 'test_broken.py'), `${test.join('\n')}\n`);
    const output = pytest(['--armtwin', COMMAND], {}, folder);
    rmSync(folder, { recursive: true });
    expect(output).toContain("cannot be imported: No module named 'no_such_dependency'");
    expect(output).toContain('armtwin_clock needs one pace');
    expect(output).not.toMatch(/IndexError|twin\.py:\d+: ApiError/);
    expect(output).toContain('2 errors');
  }, 60_000);

  it('ends a test that waits for ever with a sentence, and keeps its run', () => {
    const folder = resolve('node_modules/.cache/armtwin/plugin-deadline');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const test = [
      'import threading, time',
      'import pytest',
      '@pytest.mark.armtwin_deadline(1.5)',
      'def test_waits(twin):',
      '    twin.emergency_stop()',
      '    twin.advance(1)',
      '    while True:',
      '        try:',
      '            threading.Event().wait(0.1)',
      '        except Exception:',
      '            pass',
      '@pytest.mark.armtwin_deadline(1.5)',
      'def test_blocks(twin):',
      '    twin.situation("planner slow", delay_s=30)',
      '    twin.call("POST", "/api/v1/controls/lock")',
      '    move = {"mode": "automatic", "joints": [0.1, 0, 0, 0, 0, 0]}',
      '    twin.call("POST", "/api/v1/controls/go_to", move)',
      'def test_after(twin):',
      '    assert twin.state == "ready"',
    ];
    writeFileSync(join(folder, 'test_deadline.py'), `${test.join('\n')}\n`);
    writeFileSync(join(folder, 'pytest.ini'), '[pytest]\narmtwin_deadline = 30\n');
    const output = pytest(['--armtwin', COMMAND], {}, folder);
    expect(output).toContain(
      "the test's deadline of 1.5 s is over: the arm is disabled (the emerg",
    );
    expect(output).toContain('so time passes only by advance(); active situations: emergency_stop');
    expect(output).toContain('active situations: planner_slow');
    expect(output).toContain('2 failed, 1 passed');
    const [kept = ''] = readdirSync(join(folder, '.armtwin'))
      .filter((name) => name.endsWith('test_waits'))
      .map((name) => join(folder, '.armtwin', name));
    expect(output).toContain(`armtwin replay ${realpathSync(join(kept, 'run.armtape'))}`);
    const replay = [...PROGRAM, 'replay', join(kept, 'run.armtape')];
    const replayed = spawnSync(process.execPath, replay, { encoding: 'utf8' });
    expect(`${replayed.status} ${replayed.stdout}${replayed.stderr}`).toMatch(/^0 /);
    rmSync(folder, { recursive: true });
  }, 120_000);

  /** Runs a file of tests in a folder of its own, which is removed afterwards. @param {string[]} test @param {string[]} flags @param {(folder: string, output: string) => void} [look] */
  const runFile = (test, flags, look = () => {}) => {
    const folder = resolve('node_modules/.cache/armtwin/plugin-file');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'test_file.py'), `${test.join('\n')}\n`);
    const output = pytest(['--armtwin', COMMAND, ...flags], {}, folder);
    look(folder, output);
    rmSync(folder, { recursive: true });
    return output;
  };

  it.skipIf(!has('xdist'))(
    'gives each worker of pytest-xdist a twin of its own',
    () => {
      const test = [
        'import os, pathlib, pytest',
        '@pytest.mark.parametrize("turn", range(8))',
        'def test_moves(twin, turn):',
        '    twin.call("POST", "/api/v1/controls/lock")',
        '    target = [turn / 10, 0, 0, 0, 0, 0]',
        '    twin.call("POST", "/api/v1/controls/go_to", {"mode": "automatic", "joints": target})',
        '    assert twin.until("ready", 30)',
        '    assert twin.joints == pytest.approx(target, abs=1e-3)',
        '    worker = os.environ["PYTEST_XDIST_WORKER"]',
        '    pathlib.Path(f"{worker}.{turn}").write_text(twin.url)',
        'def test_fails(twin):',
        '    assert twin.state == "error"',
      ];
      const output = runFile(test, ['-p', 'xdist.plugin', '-n', '2'], (folder, said) => {
        const of = (/** @type {string} */ worker) =>
          readdirSync(folder)
            .filter((name) => name.startsWith(`${worker}.`))
            .map((name) => readFileSync(join(folder, name), 'utf8'));
        const [first, second] = [new Set(of('gw0')), new Set(of('gw1'))];
        expect([first.size, second.size]).toEqual([1, 1]);
        expect([...first]).not.toEqual([...second]);
        expect(readdirSync(join(folder, '.armtwin'))).toEqual([
          expect.stringMatching('test_fails'),
        ]);
        expect(said).toContain('armtwin replay');
      });
      expect(output).toContain('1 failed, 8 passed');
    },
    120_000,
  );

  it.skipIf(!has('pytest_asyncio'))(
    'serves coroutines of pytest-asyncio, and ends those that wait',
    () => {
      const test = [
        'import asyncio, pytest',
        'TARGET = [0.3, 0, 0, 0, 0, 0]',
        '@pytest.mark.asyncio',
        'async def test_moves(twin):',
        '    twin.call("POST", "/api/v1/controls/lock")',
        '    body = {"mode": "automatic", "joints": TARGET}',
        '    await asyncio.to_thread(twin.call, "POST", "/api/v1/controls/go_to", body)',
        '    reached, beside = await asyncio.gather(',
        '        asyncio.to_thread(twin.until, "ready", 30), asyncio.sleep(0, "other work"))',
        '    assert (reached, beside) == (True, "other work")',
        '    assert twin.joints == pytest.approx(TARGET, abs=1e-3)',
        '@pytest.mark.armtwin_deadline(1.5)',
        '@pytest.mark.asyncio',
        'async def test_waits(twin):',
        '    twin.emergency_stop()',
        '    twin.advance(1)',
        '    await asyncio.Event().wait()',
        '@pytest.mark.asyncio',
        'async def test_after(twin):',
        '    assert twin.state == "ready"',
      ];
      const output = runFile(test, ['-p', 'pytest_asyncio.plugin']);
      expect(output).toContain("the test's deadline of 1.5 s is over: the arm is disabled");
      expect(output).toContain('1 failed, 2 passed');
    },
    120_000,
  );
});
