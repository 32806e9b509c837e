/** An agent at work with `armtwin mcp`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArmClient, connect } from '../../../contract/client.ts';
import { createTwin, type Twin } from '../../index.ts';
import type { McpFlags } from './run-mcp.ts';
import { runMcp } from './run-mcp.ts';

const TOOLPATH = 'fixtures/toolpaths/pick-and-place.json';
const CALL = { jsonrpc: '2.0', id: 1 };

let twin: Twin;
let arm: ArmClient;
beforeAll(async () => {
  twin = await createTwin({ clock: 'max' });
  arm = connect({ baseUrl: twin.url, token: twin.token });
});
afterAll(() => twin.close());

/** What is answered to some lines; `commands` is what the tools have run. */
async function talk(lines: readonly unknown[], flags: Partial<McpFlags> = {}) {
  const input = new PassThrough();
  const answers: { id: unknown; result?: Record<string, unknown>; error?: object }[] = [];
  const commands: string[] = [];
  for (const line of lines)
    input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  input.end();
  await runMcp({
    flags: { url: twin.url, token: twin.token, ...flags },
    version: '1.2.3',
    async command(words, io) {
      commands.push(words.join(' '));
      io.out.write('a report');
      return words.includes('bad.json') ? 1 : 0;
    },
    input,
    output: { write: (text: string) => answers.push(JSON.parse(text)) },
  });
  return { answers, commands };
}

/** The text and the error flag that a tool answers. */
async function toolAnswer(name: string, given: object = {}, flags: Partial<McpFlags> = {}) {
  const params = { name, arguments: given };
  const { answers, commands } = await talk([{ ...CALL, method: 'tools/call', params }], flags);
  const { content, isError } = answers[0]!.result as {
    content: [{ text: string }];
    isError: boolean;
  };
  return { text: content[0].text, isError, commands };
}

describe('an agent', () => {
  it('is told the version, which it may choose, and the tools', async () => {
    const { answers } = await talk([
      { ...CALL, method: 'initialize', params: { protocolVersion: '2024-11-05' } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { ...CALL, id: 'a', method: 'initialize', params: { protocolVersion: '1999-01-01' } },
      { ...CALL, id: 3, method: 'tools/list' },
      { ...CALL, id: 4, method: 'ping' },
    ]);
    expect(answers.map(({ id }) => id)).toEqual([1, 'a', 3, 4]);
    expect(answers[0]!.result).toMatchObject({
      protocolVersion: '2024-11-05',
      serverInfo: { name: 'armtwin', version: '1.2.3' },
    });
    expect(answers[1]!.result).toMatchObject({ protocolVersion: '2025-06-18' });
    const tools = answers[2]!.result!['tools'] as { name: string; annotations: object }[];
    const moving = tools.filter(
      (tool) => !('readOnlyHint' in tool.annotations && tool.annotations.readOnlyHint),
    );
    expect(tools.map(({ name }) => name)).toContain('explain_stop');
    expect(moving.map(({ name }) => name)).toEqual(['run_toolpath']);
  });

  it.each([
    ['{', -32700],
    ['[]', -32600],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
    [{ ...CALL }, -32600],
    [{ ...CALL, method: 'resources/list' }, -32601],
    [{ ...CALL, method: 'tools/call', params: { name: 'fly' } }, -32602],
    [{ ...CALL, method: 'ping', params: 3 }, -32602],
  ])('that says %j is told its mistake, and can go on', async (line, code) => {
    const { answers } = await talk([line, { ...CALL, id: 2, method: 'ping' }]);
    expect(answers).toContainEqual(
      expect.objectContaining({ error: { code, message: expect.any(String) } }),
    );
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 2, result: {} });
  });

  it('reads the state of the arm', async () => {
    const { text, isError } = await toolAnswer('read_state');
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toMatchObject({
      driver: 'fast',
      snapshot: { control: { state: 'ready' } },
    });
  });

  it('plans and rehearses files by the commands of the program', async () => {
    const plan = await toolAnswer('plan_toolpath', { file: '--help', cell: 'c.json' });
    expect(plan.commands).toEqual(['plan --json --cell c.json -- --help']);
    expect(plan).toMatchObject({ text: 'a report', isError: false });
    const given = { file: 'bad.json', cell: 'c.json', variations: 2 };
    const rehearsal = await toolAnswer('rehearse_toolpath', given);
    expect(rehearsal.commands).toEqual(['rehearse --cell c.json --variations 2 -- bad.json']);
    expect(rehearsal.isError).toBe(true);
  });

  it('runs a toolpath, and gives the lock back', async () => {
    const { text, isError } = await toolAnswer('run_toolpath', { file: TOOLPATH, loops: 2 });
    expect([text, isError]).toEqual([expect.stringContaining('"ready"'), false]);
    const { text: after } = await toolAnswer('read_state');
    expect(JSON.parse(after).snapshot.control).toMatchObject({ loop_count: 2 });
    await arm.takeLock();
    await arm.releaseLock();
  });

  it('is told where a run waits that does not end, and may start the next one', async () => {
    const sorter = { file: 'fixtures/toolpaths/sorter.json', limit_s: 0.3 };
    const { text, isError } = await toolAnswer('run_toolpath', sorter);
    expect([text, isError]).toEqual([expect.stringContaining('"waiting"'), true]);
    expect(await toolAnswer('run_toolpath', { file: TOOLPATH })).toMatchObject({ isError: false });
  });

  it('is told why a run ended, and asks for the cause', async () => {
    await arm.setEmergencyStop({ engaged: true });
    const { text, isError } = await toolAnswer('run_toolpath', { file: TOOLPATH });
    expect([text, isError]).toEqual([expect.stringContaining('disabled'), true]);
    const why = JSON.parse((await toolAnswer('explain_stop')).text);
    expect(why).toMatchObject({ control: { state: 'disabled' }, status: { state: 'disabled' } });
    expect(why).toMatchObject({ contacts: [] });
    await arm.setEmergencyStop({ engaged: false });
  });

  it.each([
    ['run_toolpath', { file: 'nowhere.json' }, 'nowhere.json'],
    ['run_toolpath', { file: TOOLPATH, loops: 0 }, 'loops'],
    ['run_toolpath', {}, 'file'],
    ['read_state', { more: 1 }, 'additional'],
  ])('that calls %s with %j is told what is wrong', async (name, given, part) => {
    expect(await toolAnswer(name, given)).toEqual({
      ...{ text: expect.stringContaining(part), isError: true, commands: [] },
    });
  });

  it('has no more rights than its token, and none without one', async () => {
    const wrong = await toolAnswer('read_state', {}, { token: 'not-the-token-of-this-twin' });
    expect(wrong.isError).toBe(true);
    const input = await toolAnswer('read_state', {}, { token: undefined } as object);
    expect(input).toMatchObject({ text: expect.stringContaining('ARMTWIN_TOKEN'), isError: true });
  });

  it('is told where no arm answers', async () => {
    const answer = await toolAnswer('read_state', {}, { url: 'http://127.0.0.1:9' });
    expect(answer).toMatchObject({
      text: expect.stringContaining('No arm answers'),
      isError: true,
    });
  });
});

describe('a real arm', () => {
  /** An arm that says what moves it, or nothing of it. */
  async function realArm(banner: string | null) {
    const server = createServer((_, response) => {
      if (banner !== null) response.setHeader('X-Armtwin', banner);
      response.writeHead(404).end('{}');
    });
    await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, close: () => server.close() };
  }

  it.each(['0.1.0; driver=servo; clock=1', '0.1.0; driver=upstream', null])(
    'that says “%s” is not moved, unless a person has allowed it',
    async (banner) => {
      const { url, close } = await realArm(banner);
      const refused = await toolAnswer('run_toolpath', { file: TOOLPATH }, { url });
      expect(refused).toMatchObject({
        text: expect.stringContaining('--allow-hardware'),
        isError: true,
      });
      const allowed = { url, allowHardware: true };
      const { text } = await toolAnswer('run_toolpath', { file: TOOLPATH }, allowed);
      expect(text).not.toContain('--allow-hardware');
      close();
    },
  );
});
