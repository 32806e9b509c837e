/** Starts that cannot work: each must end soon, with a sentence about what is wrong and where. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Check, outcomeOf } from './check.ts';
import { commandOf } from './program.ts';

const LIMIT_MS = 20_000;
/** A usage error may list the faults of a file. */
const LINES_MAX = 12;

interface WrongStart {
  readonly flags: readonly string[];
  /** What must be said: what is wrong, where it stands, what to do. */
  readonly says: RegExp;
}

/** A folder for each way in which data cannot be kept. */
async function dataFolders(folder: string): Promise<readonly WrongStart[]> {
  const place = (name: string) => join(folder, name);
  for (const name of ['held', 'damaged']) await mkdir(place(name));
  await writeFile(join(place('held'), 'armtwin.pid'), String(process.pid));
  await writeFile(join(place('damaged'), 'index.json'), '{');
  await writeFile(place('file'), '');
  const start = (name: string, says: RegExp) => ({ flags: ['--data', place(name)], says });
  const linux = [
    { flags: ['--data', '/proc/armtwin/data'], says: /^No folder can be made in \/proc/ },
    { flags: ['--data', '/sys/armtwin'], says: /\/sys\/armtwin (may not be used|lies on a disk)/ },
  ];
  return [
    ...(process.platform === 'linux' ? linux : []),
    start('held', new RegExp(`held is in use by process ${process.pid}.*choose another --data`)),
    start('damaged', /index\.json is damaged \(not JSON\)\. Mend it, or move it away/),
    start('file', /file is a file, where a folder should be/),
    start('file/data', /file\/data cannot be made a folder: a part of the path is a file/),
    { flags: ['--data', ''], says: /--data <folder>' argument '' is invalid/ },
  ];
}

const SERVO = ['--driver', 'servo'];

/** Words that mean nothing, and files that are not there or about something else. */
function words(folder: string, port: number): readonly WrongStart[] {
  const nowhere = join(folder, 'nowhere');
  return [
    { flags: ['--prot', '1'], says: /unknown option '--prot'\n\(Did you mean --port\?\)/ },
    { flags: ['serv'], says: /unknown command 'serv'\n\(Did you mean serve\?\)/ },
    { flags: ['--token', 'two words'], says: /--token <secret>' argument .* no spaces/ },
    { flags: ['--port', String(port)], says: new RegExp(`Port ${port} on .* --port 0`) },
    { flags: ['--host', '192.0.2.1'], says: /192\.0\.2\.1 is no address of this machine/ },
    { flags: ['--clock', 'fast'], says: /It must be 1, a multiple such as 10, max or stepped/ },
    { flags: ['--seed', nowhere], says: /nowhere cannot be read: .*nowhere does not exist/ },
    { flags: ['--seed', 'package.json'], says: /package\.json is no seed:\n/ },
    { flags: ['--record', join(nowhere, 'tape')], says: /tape cannot be recorded into/ },
    { flags: [...SERVO, '--bus', 'rope'], says: /rope names no servo bus: write memory, tcp/ },
    { flags: [...SERVO, '--calibration', nowhere], says: /nowhere does not exist/ },
    { flags: [...SERVO, '--calibration', 'package.json'], says: /package\.json is no calibration/ },
    { flags: [...SERVO, '--clock', '10'], says: /keeps real time: leave out --clock/ },
  ];
}

/** What is wrong with how the program took it; null for nothing. */
async function problemOf({ flags, says }: WrongStart): Promise<string | null> {
  const free = flags.includes('--port') ? [] : ['--port', '0'];
  const args = commandOf([...flags, ...free, '--log-level', 'silent']);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ending = once(child, 'close', { signal: AbortSignal.timeout(LIMIT_MS) });
  const [code] = await ending.catch(() => [child.kill('SIGKILL')]);
  const isShort = said.split('\n').length <= LINES_MAX && !/^ +at /m.test(said);
  if ((code === 1 || code === 2) && isShort && says.test(said)) return null;
  return `${flags.join(' ')}: code ${code}, ${said.slice(0, 200)}`;
}

async function pressAll(folder: string) {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const starts = [...(await dataFolders(folder)), ...words(folder, port)];
  const problems: string[] = [];
  let slowest_ms = 0;
  for (const start of starts) {
    const start_ms = performance.now();
    const problem = await problemOf(start);
    slowest_ms = Math.max(slowest_ms, performance.now() - start_ms);
    if (problem !== null) problems.push(problem);
  }
  taken.close();
  return outcomeOf(
    `${starts.length} starts, ${problems.length} without a clear end; ` +
      `the slowest after ${(slowest_ms / 1000).toFixed(1)} s`,
    { [problems.join('; ').slice(0, 600)]: problems.length === 0 },
  );
}

export const wrongStarts: readonly Check[] = [
  {
    id: 'wrong-starts',
    fault: 'starts that cannot work: data, disk, port, options, files',
    goal: 'each ends by itself, not with 0, and says what is wrong, where, and what to do',
    quick: false,
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'armtwin-starts-'));
      try {
        return await pressAll(folder);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
];
