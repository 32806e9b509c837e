/** Error messages of failed starts say what to do. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { HttpServer } from '../service/http/http-server.ts';
import { RequestGate } from '../service/http/request-gate.ts';
import { readInputFile } from './input-file.ts';
import { connectionsAllowed } from './open-files.ts';
import { startupErrorText } from './startup-errors.ts';

const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'nothing went wrong',
    (error: unknown) => startupErrorText(error),
  );

it('names a port in use and the flag to change', async () => {
  const first = new HttpServer(new RequestGate());
  const port = await first.listen(0, '127.0.0.1');
  expect(port).toBe((first.node.address() as AddressInfo).port);
  const message = await failureOf(new HttpServer(new RequestGate()).listen(port, '127.0.0.1'));
  expect(message).toContain(`Port ${port} on 127.0.0.1 is already in use`);
  expect(message).toContain('--port 0');
  first.node.close();
});

it('names an address that is not local', async () => {
  const message = await failureOf(new HttpServer(new RequestGate()).listen(0, '192.0.2.1'));
  expect(message).toContain('192.0.2.1 is not a local address');
});

it('names files and folders that are not accessible', async () => {
  expect(await failureOf(readFile('no-such-file.json'))).toBe(
    'no-such-file.json does not exist (ENOENT).',
  );
  expect(await failureOf(writeFile('no-such-folder/page.html', ''))).toBe(
    'The folder no-such-folder does not exist (ENOENT).',
  );
  expect(await failureOf(mkdir('/dev/null/x'))).toContain('a part of the path is a file');
});

it('says that a file is a folder, and quotes no control character of a binary file', async () => {
  // Node 26 names the path of a folder that is read as a file.
  expect(await failureOf(readFile('docs'))).toMatch(/^(it|docs) is a folder; a file is needed/);
  const binary = Promise.resolve('\u0000\u001b[31m').then((text) => JSON.parse(text));
  const message = await failureOf(binary);
  expect(message).toContain('it is not JSON');
  expect(message).not.toMatch(/\p{Cc}/u);
});

it('names a link that leads back to itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'startup-errors-'));
  const loop = join(folder, 'loop');
  await symlink(loop, loop);
  expect(await failureOf(readFile(loop))).toBe(
    `${loop} is a link that leads back to itself (ELOOP).`,
  );
  await rm(folder, { recursive: true });
});

it('reads past the byte order mark of an editor', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'startup-errors-'));
  const file = join(folder, 'marked.json');
  await writeFile(file, '\uFEFF{}');
  expect(readInputFile(file)).toBe('{}');
  await rm(folder, { recursive: true });
});

it('keeps the message of other errors', () => {
  expect(startupErrorText(new Error('The driver servo runs in real time only'))).toBe(
    'The driver servo runs in real time only',
  );
  expect(startupErrorText('a word')).toBe('a word');
});

it('names a limit of open files that is too low', () => {
  const tooMany = Object.assign(new Error('too many open files'), { code: 'EMFILE', path: '/x' });
  expect(startupErrorText(tooMany)).toContain('ulimit -n 4096');
  const line = (soft: string) =>
    `Max open files            ${soft}                 524288  files\n`;
  for (const [files, count] of [
    [64, 16],
    [144, 16],
    [256, 128],
    [639, 511],
  ] as const) {
    const warning = expect.stringMatching(
      `^At most ${files} files.*: ${count} connections .* ${limits.connections}.*ulimit -n 4096`,
    );
    expect(connectionsAllowed(line(String(files)))).toEqual({ count, warning });
  }
  expect(() => connectionsAllowed(line('63'))).toThrow(/^At most 63 .* needs 64.*ulimit -n 4096/);
  expect(connectionsAllowed(line(String(limits.connections + 128)))).toBeNull();
  expect(connectionsAllowed('')).toBeNull();
});
