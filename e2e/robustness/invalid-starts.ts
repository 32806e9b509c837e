/** Starts that cannot succeed: each must end soon, with a message about what is wrong and where. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { crcOf } from '../../server/store/journal-line.ts';
import { processOf } from '../../server/store/process-identity.ts';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { commandOf, startTwinProcess } from './twin-process.ts';

const LIMIT_MS = 20_000;
/** Maximum lines of a usage error; it may list the problems of a file. */
const LINES_MAX = 12;

interface InvalidStart {
  readonly flags: readonly string[];
  /** The expected message on stderr: what is wrong, where, and what to do. */
  readonly message: RegExp;
}

/** Makes a data folder with a twin and damages a line with its users; returns the file. */
async function damageUsers(folder: string): Promise<string> {
  const twin = await startTwinProcess(['--data', folder]);
  await twin.stop();
  const segment = join(folder, 'journal', '00000001.log');
  const text = await readFile(segment, 'utf8');
  await writeFile(segment, text.replace('"role":"admin"', '"role":"odmin"'));
  return segment;
}

/** Makes a data folder whose journal says that it has format 9; returns the file. */
async function changeFormat(folder: string): Promise<string> {
  const twin = await startTwinProcess(['--data', folder]);
  await twin.stop();
  const segment = join(folder, 'journal', '00000001.log');
  const [first = '', ...lines] = (await readFile(segment, 'utf8')).split('\n');
  const content = first.slice(9).replace(/"format":\d+/, '"format":9');
  const crc = crcOf(content).toString(16).padStart(8, '0');
  await writeFile(segment, [`${crc} ${content}`, ...lines].join('\n'));
  return segment;
}

/** Data folders that cannot be used, one for each reason. */
async function dataFolders(folder: string): Promise<readonly InvalidStart[]> {
  const place = (name: string) => join(folder, name);
  await mkdir(place('held'));
  const holder = { pid: process.pid, process: await processOf(process.pid), host: hostname() };
  await writeFile(join(place('held'), 'writer-1.lock'), JSON.stringify(holder));
  const newer = await changeFormat(place('newer'));
  const segment = await damageUsers(place('users'));
  await writeFile(place('file'), '');
  const start = (name: string, message: RegExp) => ({ flags: ['--data', place(name)], message });
  const linux = [
    { flags: ['--data', '/proc/armtwin/data'], message: /^No folder can be made in \/proc/ },
    {
      flags: ['--data', '/sys/armtwin'],
      message: /\/sys\/armtwin is (not accessible|on a disk)/,
    },
  ];
  return [
    ...(process.platform === 'linux' ? linux : []),
    start(
      'held',
      new RegExp(`held is in use by process ${process.pid}\\. Stop it, or choose another`),
    ),
    start('newer', new RegExp(`^${newer} has format 9, but this version reads format \\d`)),
    start('users', new RegExp(`^${segment} is damaged: changes of users.*armtwin data restore`)),
    start('file', /file is a file, where a folder should be/),
    start('file/data', /file\/data is not a valid folder: a part of the path is a file/),
    { flags: ['--data', ''], message: /--data <folder>' argument '' is invalid/ },
  ];
}

const SERVO = ['--driver', 'servo'];

/** Invalid option values, and files that are missing or of the wrong kind. */
function invalidOptions(folder: string, port: number): readonly InvalidStart[] {
  const nowhere = join(folder, 'nowhere');
  return [
    { flags: ['--prot', '1'], message: /unknown option '--prot'\n\(Did you mean --port\?\)/ },
    { flags: ['serv'], message: /unknown command 'serv'\n\(Did you mean serve\?\)/ },
    { flags: ['--token', 'two words'], message: /--token <secret>' argument .* without spaces/ },
    { flags: ['--port', String(port)], message: new RegExp(`Port ${port} on .* --port 0`) },
    { flags: ['--host', '192.0.2.1'], message: /192\.0\.2\.1 is not a local address/ },
    { flags: ['--clock', 'fast'], message: /It must be 1, a multiple such as 10, max or stepped/ },
    { flags: ['--seed', nowhere], message: /Cannot read .*nowhere: .*does not exist/ },
    { flags: ['--seed', 'package.json'], message: /package\.json is not a valid seed:\n/ },
    {
      flags: ['--record', join(nowhere, 'recording')],
      message: /recording cannot be recorded into/,
    },
    {
      flags: [...SERVO, '--bus', 'rope'],
      message: /rope is not the address of a servo bus: use memory, tcp/,
    },
    { flags: [...SERVO, '--calibration', nowhere], message: /nowhere does not exist/ },
    {
      flags: [...SERVO, '--calibration', 'package.json'],
      message: /package\.json is not a valid calibration/,
    },
    { flags: [...SERVO, '--clock', '10'], message: /runs in real time only; remove --clock/ },
  ];
}

/** Runs a start; returns what is wrong with its end, or null. */
async function problemOf({ flags, message }: InvalidStart): Promise<string | null> {
  const free = flags.includes('--port') ? [] : ['--port', '0'];
  const args = commandOf([...flags, ...free, '--log-level', 'silent']);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const ending = once(child, 'close', { signal: AbortSignal.timeout(LIMIT_MS) });
  const [code] = await ending.catch(() => [child.kill('SIGKILL')]);
  const isShort = stderr.split('\n').length <= LINES_MAX && !/^ +at /m.test(stderr);
  if ((code === 1 || code === 2) && isShort && message.test(stderr)) return null;
  return `${flags.join(' ')}: code ${code}, ${stderr.slice(0, 200)}`;
}

async function runInvalidStarts(folder: string) {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const starts = [...(await dataFolders(folder)), ...invalidOptions(folder, port)];
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
    `${starts.length} starts, ${problems.length} without a clear message; ` +
      `the slowest after ${(slowest_ms / 1000).toFixed(1)} s`,
    { [problems.join('; ').slice(0, 600)]: problems.length === 0 },
  );
}

export const invalidStartChecks: readonly RobustnessCheck[] = [
  {
    id: 'wrong-starts',
    fault: 'starts that cannot work: data, disk, port, options, files',
    goal: 'each exits with an error code and a message: what is wrong, where, and what to do',
    in: 'npm test -- --all',
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'armtwin-starts-'));
      try {
        return await runInvalidStarts(folder);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
];
