/**
 * The built program in its own process for benchmarks: start and stop, a running arm, and the
 * processor share of its stream clients.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';

const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
const CLIENTS = fileURLToPath(new URL('./stream-clients.mjs', import.meta.url));
const TOOLPATH = fileURLToPath(
  new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url),
);
const TOKEN = 'token-of-the-benchmark';
/** Clock ticks of /proc per second. */
const TICKS_PER_S = 100;
const STREAM_MS = 8000;
/** Time until the code that serves clients is compiled. */
const WARM_MS = 6000;

export const toolpath = JSON.parse(readFileSync(TOOLPATH, 'utf8')) as Toolpath;
const wait = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));

/** Starts the program with a port for Foxglove. */
export async function startProgram(more: readonly string[]) {
  const flags = ['--port', '0', '--token', TOKEN, '--log-level', 'warn', '--foxglove', '0'];
  const child = spawn(process.execPath, [MAIN, ...flags, ...more]);
  const live = once(child.stderr, 'data');
  const url = /http:\S+/.exec(String((await once(child.stdout, 'data'))[0]))![0];
  const arm = connect({ baseUrl: url, token: TOKEN });
  return {
    arm,
    url,
    foxgloveUrl: /ws:\S+\//.exec(String((await live)[0]))![0],
    port: Number(new URL(url).port),
    session: await arm.session(),
    /** Processor time so far (s). */
    processor_s() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ');
      return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Runs a toolpath in an endless loop. */
export async function keepMoving({ arm }: Program, path = toolpath): Promise<void> {
  await arm.takeLock();
  await arm.useUnsavedToolpath({ toolpath: path });
  await arm.run({ mode: 'automatic', loop: 0 });
}

/** Processor share of the program as it is (cores). */
async function ownShare(program: Program): Promise<number> {
  const before_s = program.processor_s();
  await wait(STREAM_MS);
  return (program.processor_s() - before_s) / (STREAM_MS / 1000);
}

interface Clients {
  readonly name: string;
  readonly url: string;
  readonly count: number;
}

/**
 * Prints and returns the share of so many clients (cores): with them, less that behind them, when
 * the program is as warm.
 */
export async function streams(program: Program, clients: Clients): Promise<number> {
  const { name, url, count } = clients;
  const child = spawn(process.execPath, [CLIENTS, url, program.session, String(count)]);
  await once(child.stdout, 'data');
  await wait(WARM_MS);
  const whole = await ownShare(program);
  child.kill('SIGTERM');
  const [messages] = await once(child.stdout, 'data');
  await wait(500);
  const own = await ownShare(program);
  const share = whole - own;
  console.log(
    `${count} ${name}: ${(share * 100).toFixed(1)} % of a core in addition to ` +
      `${(own * 100).toFixed(1)} % of the arm, ${String(messages).trim()}`,
  );
  return share;
}
