import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../../contract/client.ts';
import { washAndRead } from '../../scheduler/definition/workflow.cases.ts';
import { openReceiver } from './receiver.cases.ts';

const TOKEN = 'token-of-the-crash-test';
const MAIN = new URL('../main.ts', import.meta.url).pathname;

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
}

function serve(data: string): Promise<Served> {
  const flags = ['--data', data, '--port', '0', '--token', TOKEN, '--driver', 'fast'];
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...flags, '--clock', '1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
    child.stdout!.on('data', (chunk: Buffer) => {
      const url = /ready (\S+)/.exec(String(chunk))?.[1];
      if (url) resolve({ url, child });
    });
  });
}

it('sends an unacknowledged delivery again under the same id after kill −9', async () => {
  const data = mkdtempSync(join(tmpdir(), 'crash-'));
  let acknowledges = false;
  const receiver = await openReceiver((response) => {
    if (acknowledges) response.writeHead(204).end();
  });
  try {
    const first = await serve(data);
    const arm = connect({ baseUrl: first.url, token: TOKEN });
    const { workflow } = await arm.createWorkflow(washAndRead({ url: receiver.url }));
    const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
    await receiver.heard(1);
    first.child.removeAllListeners('exit');
    first.child.kill('SIGKILL');
    const seen = receiver.received.length;
    acknowledges = true;
    const second = await serve(data);
    await receiver.heard(seen + 1);
    const again = receiver.received[seen]!;
    const [original] = receiver.received;
    expect(again.headers['webhook-id']).toBe(original!.headers['webhook-id']);
    expect(again.text).toBe(original!.text);
    const restarted = connect({ baseUrl: second.url, token: TOKEN });
    const { run: shown } = await restarted.getRun({ run_id: run.id });
    expect(shown).toMatchObject({ state: 'stopped', message: 'the process was restarted' });
    expect(shown.tasks.map(({ id }) => id)).toEqual(['wash_plate_1', 'read_plate_1']);
    expect(shown.tasks.map(({ state }) => state)).not.toContain('running');
    expect(shown.plan!.makespan).toBe(60);
    second.child.removeAllListeners('exit');
    second.child.kill('SIGTERM');
  } finally {
    await receiver.close();
    rmSync(data, { recursive: true, force: true });
  }
}, 120_000);
