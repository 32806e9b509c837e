// @module-tag ci
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runToEnd } from './process.mjs';

const START = new URL('./start.mjs', import.meta.url).href;
const ENDING = new URL('./ending.mjs', import.meta.url).href;
const BUILD = new URL('./build.mjs', import.meta.url).href;
const SOURCES = new URL('./source-fingerprint.mjs', import.meta.url).href;

/** @param {string} program source of a fake server */
function serving(program) {
  const main = join(mkdtempSync(join(tmpdir(), 'armtwin-')), 'main.mjs');
  writeFileSync(main, program);
  const call = `const { exitCodeOf, launch } = await import('${START}');
    (await import('${ENDING}')).endCleanly();
    const child = launch(['--port', '0'], 'inherit', ${JSON.stringify(main)});
    process.exitCode = await exitCodeOf(child);`;
  return ['--input-type=module', '-e', call];
}

describe('the program in the foreground', () => {
  it('passes flags, memory setting and exit code', async () => {
    const program = `console.log(process.argv.slice(2).join(' '), process.env.MALLOC_ARENA_MAX);
      process.exit(7);`;
    const done = await runToEnd(process.execPath, serving(program), { label: 'serve' });
    expect(done.output).toBe('--port 0 1\n');
    expect(done.code).toBe(7);
  });

  it('forwards SIGTERM to the server and returns its exit code', async () => {
    const program = `process.on('SIGTERM', () => { console.log('closing'); process.exit(0); });
      setInterval(() => {}, 1000);
      console.log('ready');`;
    const child = spawn(process.execPath, serving(program), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said === 'ready\n') child.kill('SIGTERM');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, said]).toEqual([0, 'ready\nclosing\n']);
  });

  it('returns 128 + signal for a killed server', async () => {
    const done = await runToEnd(
      process.execPath,
      serving("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);"),
      { label: 'serve' },
    );
    expect(done.code).toBe(128 + 9);
  });
});

describe('the build of the sources', () => {
  it('is one for a start, until its types are written too, and none after a change', async () => {
    const root = mkdtempSync(join(tmpdir(), 'armtwin-'));
    for (const folder of ['server', 'dist']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'server/main.ts'), 'text');
    const stamp = (/** @type {string} */ name) =>
      `writeFileSync('dist/${name}', sourceFingerprint());`;
    const call = `process.chdir(${JSON.stringify(root)});
      const { writeFileSync } = await import('node:fs');
      const { sourceFingerprint } = await import('${SOURCES}');
      const { isBuilt } = await import('${BUILD}');
      const seen = [];
      const look = () => seen.push([isBuilt('start'), isBuilt('all')]);
      look();
      ${stamp('.armtwin-built')} look();
      ${stamp('.armtwin-types')} look();
      writeFileSync('server/main.ts', 'longer text'); look();
      console.log(JSON.stringify(seen));`;
    const args = ['--input-type=module', '-e', call];
    const { output } = await runToEnd(process.execPath, args, { label: 'stamps' });
    expect(JSON.parse(output)).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [false, false],
    ]);
  });
});

describe('fingerprint of the sources', () => {
  /** @param {string} root */
  async function fingerprint(root) {
    const call = `process.chdir(${JSON.stringify(root)});
      console.log((await import('${SOURCES}')).sourceFingerprint());`;
    const args = ['--input-type=module', '-e', call];
    return (await runToEnd(process.execPath, args, { label: 'fingerprint' })).output;
  }

  function tree() {
    const root = mkdtempSync(join(tmpdir(), 'armtwin-'));
    mkdirSync(join(root, 'server/robot'), { recursive: true });
    for (const path of ['server/main.ts', 'server/robot/robot.ts', 'package.json']) {
      writeFileSync(join(root, path), 'text');
    }
    return root;
  }

  it('ignores changes of tests', async () => {
    const root = tree();
    const before = await fingerprint(root);
    expect(before).toMatch(/^[0-9a-f]{64}\n$/);
    writeFileSync(join(root, 'server/robot/robot.test.ts'), 'text');
    expect(await fingerprint(root)).toBe(before);
  });

  it('changes with size, time and a deleted file', async () => {
    const root = tree();
    const seen = [await fingerprint(root)];
    writeFileSync(join(root, 'server/main.ts'), 'longer text');
    seen.push(await fingerprint(root));
    utimesSync(join(root, 'server/main.ts'), 1, 1);
    seen.push(await fingerprint(root));
    rmSync(join(root, 'server/robot/robot.ts'));
    seen.push(await fingerprint(root));
    expect(new Set(seen).size).toBe(4);
  });
});
