/** Failures of a start say what to do, whatever the system calls them. */
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { listen } from './http/server.ts';
import { startTrouble } from './start-trouble.ts';

const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'nothing went wrong',
    (error: unknown) => startTrouble(error),
  );

it('names a port that is taken, and the way out', async () => {
  const first = createServer();
  const port = await listen(first, 0, '127.0.0.1');
  expect(port).toBe((first.address() as AddressInfo).port);
  const words = await failureOf(listen(createServer(), port, '127.0.0.1'));
  expect(words).toContain(`Port ${port} on 127.0.0.1 is taken`);
  expect(words).toContain('--port 0');
  first.close();
});

it('names an address that is not here', async () => {
  const words = await failureOf(listen(createServer(), 0, '192.0.2.1'));
  expect(words).toContain('192.0.2.1 is no address of this machine');
});

it('names files and folders that cannot be used', async () => {
  expect(await failureOf(readFile('no-such-file.json'))).toBe(
    'no-such-file.json does not exist (ENOENT).',
  );
  expect(await failureOf(mkdir('/dev/null/x'))).toContain('a part of the path is a file');
});

it('leaves other errors their own words', () => {
  expect(startTrouble(new Error('The driver servo keeps real time'))).toBe(
    'The driver servo keeps real time',
  );
  expect(startTrouble('a word')).toBe('a word');
});
