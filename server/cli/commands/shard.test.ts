/**
 * `armtwin shard`: local shards, a pod of an Indexed Job, placeholders, order and exit codes.
 * @module-tag ci
 */
import { describe, expect, it } from 'vitest';
import { runShards, type ShardRequest } from './shard.ts';

/** Prints its arguments after a delay that reverses the order, and exits with the given code. */
const ECHO = `
const args = process.argv.slice(1);
const shard = args.join(' ').match(/(\\d+)\\/\\d+/)[1];
setTimeout(() => {
  console.log(args.join(' '));
  process.exitCode = args.includes('fail') && shard === '2' ? 3 : 0;
}, 300 / Number(shard));`;

async function run(request: Partial<ShardRequest>) {
  const texts = { out: '', err: '' };
  const code = await runShards(
    {
      count: 3,
      command: ['plan', 'folder'],
      program: [process.execPath, '-e', ECHO],
      completionIndex: undefined,
      ...request,
    },
    {
      out: { write: (text) => (texts.out += text) },
      err: { write: (text) => (texts.err += text) },
    },
  );
  return { code, ...texts };
}

describe('armtwin shard', () => {
  it('runs all shards, and prints them in their order', async () => {
    const { code, out, err } = await run({ jobs: 3 });
    expect([code, out]).toEqual([
      0,
      'plan --shard 1/3 folder\nplan --shard 2/3 folder\nplan --shard 3/3 folder\n',
    ]);
    expect(err.split('\n').filter((line) => line.endsWith('code 0'))).toHaveLength(3);
  });

  it('runs the shards of verify, which share a service, one after another', {
    tags: ['slow'],
  }, async () => {
    const { err } = await run({ command: ['verify', 'http://arm'] });
    // The delays reverse the order of shards that run at once.
    expect(err.match(/shard \d/g)).toEqual(['shard 1', 'shard 2', 'shard 3']);
  });

  it('replaces {shard} where the command names it', async () => {
    const command = ['run', '--', 'verify', '{url}', '--shard', '{shard}'];
    const { out } = await run({ count: 1, command });
    expect(out).toBe('run -- verify {url} --shard 1/1\n');
    const named = await run({ count: 1, command: ['rehearse', '--junit', 'part-{index}.xml'] });
    expect(named.out).toBe('rehearse --shard 1/1 --junit part-1.xml\n');
  });

  it('runs the one shard of its index in a job', async () => {
    const { code, out } = await run({ completionIndex: '1' });
    expect([code, out]).toEqual([0, 'plan --shard 2/3 folder\n']);
    expect(await run({ completionIndex: '3' })).toEqual({
      code: 2,
      out: '',
      err: 'JOB_COMPLETION_INDEX is 3, but there are 3 shards, from 0.\n',
    });
  });

  it('runs the other shards when one fails, and exits with the highest code', async () => {
    const { code, out } = await run({ command: ['plan', 'fail'], jobs: 1 });
    expect(code).toBe(3);
    expect(out.split('\n').filter(Boolean)).toHaveLength(3);
  });

  it('starts no more shards after a signal', async () => {
    const ended = run({ jobs: 1, command: ['plan'] });
    process.emit('SIGTERM', 'SIGTERM');
    const { code, err } = await ended;
    expect([code, err]).toEqual([143, 'shard 1/3 ended with code 1\n']);
  });

  it('reports a program that does not exist', async () => {
    const { code, out } = await run({ count: 1, program: ['/absent/armtwin'] });
    expect([code, out]).toEqual([127, expect.stringContaining('ENOENT')]);
  });
});
