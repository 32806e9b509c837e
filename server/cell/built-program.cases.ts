/** The built program in a process of its own, with a client of its admin. Test code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type ArmClient, connect } from '../../contract/client.ts';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const TOKEN = 'token-of-the-cells-0123456789';

function launch(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Output of a process so far, on both streams. */
function listenTo(child: ChildProcess): { text: string } {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output.text += String(chunk);
    });
  }
  return output;
}

async function urlOf(child: ChildProcess, output: { readonly text: string }): Promise<string> {
  while (child.exitCode === null) {
    const url = /^armtwin ready (\S+)$/m.exec(output.text)?.[1];
    if (url !== undefined) return url;
    await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
  }
  throw new Error(`the built program did not start (npm run build): ${output.text}`);
}

/** The statements of the program's monitor that were violated. */
async function violations(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^armtwin_invariant_violations_total(\S*) (\S+)$/gm);
  return [...counts].flatMap(([, labels = '', count]) => (Number(count) > 0 ? [labels] : []));
}

/** Runs `use` with the program; requires that it violates no invariant and ends with 0. */
export async function withBuiltProgram(
  flags: readonly string[],
  use: (arm: ArmClient) => Promise<void>,
): Promise<void> {
  const child = launch(['--port', '0', '--token', TOKEN, ...flags]);
  const output = listenTo(child);
  try {
    const baseUrl = await urlOf(child, output);
    await use(connect({ baseUrl, token: TOKEN }));
    expect(await violations(baseUrl)).toEqual([]);
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect([code, output.text]).toEqual([0, expect.any(String)]);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Runs a command of the program to its end; returns exit code and output. */
export async function runBuilt(args: readonly string[]): Promise<readonly [number, string]> {
  const child = launch(args);
  const output = listenTo(child);
  const [code] = (await once(child, 'close')) as [number];
  return [code, output.text];
}
