/**
 * `armtwin shard COUNT -- ARGUMENTS…`: runs a command of armtwin as shards. Locally all shards run,
 * as many at once as there are cores; as a pod of an Indexed Job of Kubernetes only the shard of
 * JOB_COMPLETION_INDEX runs, so the same command serves both. Exits with the highest code.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism, constants } from 'node:os';
import type { CommandOutput } from '../command-output.ts';
import { ProcessGuard } from '../process-guard.ts';

export interface ShardRequest {
  readonly count: number;
  /** Shards that run at once; default: the number of cores, and 1 for `verify`. */
  readonly jobs?: number;
  /** Arguments of armtwin; {shard} is replaced by the shard, such as 2/8, {index} by its number. */
  readonly command: readonly string[];
  /** Program and first arguments that run armtwin. */
  readonly program: readonly string[];
  /** JOB_COMPLETION_INDEX, from 0; undefined outside of Kubernetes. */
  readonly completionIndex: string | undefined;
}

const NOT_RUN = 127;

/** The command of one shard: with the placeholders replaced; without {shard}, with `--shard`. */
function commandOf(command: readonly string[], index: number, count: number): readonly string[] {
  const shard = `${index}/${count}`;
  const fill = (part: string) =>
    part.replaceAll('{shard}', shard).replaceAll('{index}', `${index}`);
  const [name = '', ...rest] = command.map(fill);
  const isNamed = command.some((part) => part.includes('{shard}'));
  return isNamed ? [name, ...rest] : [name, '--shard', shard, ...rest];
}

interface ShardEnd {
  readonly code: number;
  readonly out: string;
}

/** Runs one shard; its standard output is kept, its errors are shown as they come. */
function runShard(
  [file = '', ...first]: readonly string[],
  command: readonly string[],
  started: (child: ChildProcess) => void,
): Promise<ShardEnd> {
  const child = spawn(file, [...first, ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  started(child);
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: NOT_RUN, out: `${error.message}\n` }));
    child.once('close', (code) => resolve({ code: code ?? 1, out }));
  });
}

/** The shards to run here, from 1; null for an index that the job does not have. */
function shardsOf({ count, completionIndex }: ShardRequest): readonly number[] | null {
  if (completionIndex === undefined) return Array.from({ length: count }, (_, i) => i + 1);
  const index = Number(completionIndex);
  return Number.isInteger(index) && index >= 0 && index < count ? [index + 1] : null;
}

/** Shards of `verify` use one service and its lock, so they run one after another. */
function defaultJobs([name]: readonly string[]): number {
  return name === 'verify' ? 1 : availableParallelism();
}

/** Runs the command; returns the exit code. */
export async function runShards(request: ShardRequest, io: CommandOutput): Promise<number> {
  const { count, command, program, jobs = defaultJobs(command) } = request;
  const shards = shardsOf(request);
  if (shards === null) {
    const index = request.completionIndex;
    io.err.write(`JOB_COMPLETION_INDEX is ${index}, but there are ${count} shards, from 0.\n`);
    return 2;
  }
  const running = new Set<ChildProcess>();
  const waiting = [...shards];
  let stoppedBy = 0;
  const stop = (signal: NodeJS.Signals) => {
    stoppedBy = 128 + constants.signals[signal];
    waiting.length = 0;
    for (const child of running) child.kill(signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const guard = new ProcessGuard();
  const ends = new Map<number, ShardEnd>();
  let next = 0;
  const work = async () => {
    for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
      let child: ChildProcess | null = null;
      const end = await runShard(program, commandOf(command, shard, count), (started) => {
        child = started;
        running.add(started);
        guard.add(started);
      });
      if (child) running.delete(child);
      ends.set(shard, end);
      io.err.write(`shard ${shard}/${count} ended with code ${end.code}\n`);
      // In the order of the shards, whichever ends first.
      for (; ends.has(shards[next]!); next++) io.out.write(ends.get(shards[next]!)!.out);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, shards.length) }, work));
  process.off('SIGTERM', stop);
  process.off('SIGINT', stop);
  guard.close();
  return Math.max(stoppedBy, ...[...ends.values()].map(({ code }) => code));
}
