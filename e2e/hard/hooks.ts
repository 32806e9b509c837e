/** Receivers of notifications that mean harm or do nothing, beside one that is honest. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sampleWorkflow } from '../../contract/rules/workflow-samples.ts';
import { type Check, outcomeOf } from './check.ts';
import { keepMoving, type Program, withProgram } from './program.ts';
import { quantile } from './raw.ts';

/** More than there may be calls in flight at a time. */
const RUNS = 40;
/** Work of the sample is 18 s of twin time. */
const PACE = 10;
const WATCH_MS = 12_000;
const CALL_EVERY_MS = 100;

const FLOOD = 'x'.repeat(65_536);
/** Sent before a receiver learns that nobody reads any more: mostly the system's own buffers. */
const FLOOD_MB = 800;

type Answering = (response: ServerResponse) => void;

/** Bytes that the receiver which never stops has sent, over all calls. */
let flood_bytes = 0;

/** What a receiver can do wrong. */
const HOSTILE: Readonly<Record<string, Answering>> = {
  'never answers': () => {},
  'hangs up': (response) => response.destroy(),
  fails: (response) => void response.writeHead(500).end(),
  'never stops answering': (response) => {
    response.writeHead(200);
    const more = () => {
      flood_bytes += FLOOD.length;
      response.write(FLOOD, (error) => !error && more());
    };
    more();
  },
  'sends on to the twin': (response) =>
    void response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
  'asks to wait for ever': (response) =>
    void response.writeHead(429, { 'Retry-After': '999999999' }).end(),
};

async function receiver(answer: (response: ServerResponse, body: string) => void) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => answer(response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Durations of honest calls (ms) for a while; a call that fails counts as a minute. */
async function callHonestly(program: Program): Promise<number[]> {
  const headers = { Authorization: `Bearer ${await program.arm.session()}` };
  const durations: number[] = [];
  const end_ms = performance.now() + WATCH_MS;
  while (performance.now() < end_ms) {
    const start_ms = performance.now();
    const reply = await fetch(`${program.url}/api/v1/data/snapshot`, { headers }).catch(() => null);
    await reply?.text();
    durations.push(reply?.ok ? performance.now() - start_ms : 60_000);
    await wait(CALL_EVERY_MS);
  }
  return durations;
}

async function hostileReceivers() {
  const heard: { readonly run_id: string; readonly at_ms: number }[] = [];
  const honest = await receiver((response, body) => {
    heard.push({ run_id: String(JSON.parse(body).run_id), at_ms: performance.now() });
    response.writeHead(204).end();
  });
  const bad = await Promise.all(Object.values(HOSTILE).map((answer) => receiver(answer)));
  try {
    const flags = ['--driver', 'fast', '--clock', String(PACE), '--log-level', 'silent'];
    return await withProgram(flags, async (program) => {
      await keepMoving(program);
      const urls = [
        honest.url,
        ...bad.map(({ url }) => url),
        'http://169.254.169.254/latest/meta-data',
        `http://127.0.0.1:${program.port}/sim/v1/reset`,
      ];
      const hooks = urls.map((url) => ({
        type: 'RunStateChangeHook' as const,
        parameters: { url },
      }));
      const { workflow } = await program.arm.createWorkflow(sampleWorkflow({ hooks }));
      const before_mb = await program.memory_mb();
      const start_ms = performance.now();
      for (let count = 0; count < RUNS; count++) {
        await program.arm.startRun({ workflow_id: workflow.id }, {});
      }
      const durations = await callHonestly(program);
      const grown_mb = (await program.memory_mb()) - before_mb;
      const firsts = new Map(heard.toReversed().map(({ run_id, at_ms }) => [run_id, at_ms]));
      const last_ms = Math.max(...firsts.values()) - start_ms;
      const runs = firsts.size;
      const slow = quantile(durations, 0.99);
      const { snapshot } = await program.arm.getSnapshot();
      return outcomeOf(
        `${bad.length + 2} hostile receivers: the honest one heard of ${runs} of ${RUNS} runs, ` +
          `the last after ${last_ms.toFixed(0)} ms; ` +
          `${durations.length} honest calls, p99 ${slow.toFixed(0)} ms; ` +
          `${(flood_bytes / 1e6).toFixed(0)} MB were sent in vain; ` +
          `memory ${grown_mb >= 0 ? '+' : ''}${grown_mb.toFixed(0)} MB`,
        {
          'heard of every run': runs === RUNS,
          'within 4 s': last_ms < 4000,
          'others unaffected': slow < 250,
          '< 30 MB': grown_mb < 30,
          'replies cut': flood_bytes < FLOOD_MB * 1e6,
          'the arm goes on': snapshot.control.state === 'running',
        },
      );
    });
  } finally {
    for (const { close } of [honest, ...bad]) close();
  }
}

export const hooks: readonly Check[] = [
  {
    id: 'hostile-hooks',
    fault: 'receivers that never answer, fail, never stop, send elsewhere; addresses of others',
    goal: 'an honest receiver beside them hears of every run; calls and the arm are unaffected',
    quick: false,
    run: hostileReceivers,
  },
];
