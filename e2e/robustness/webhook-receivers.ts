/** Webhook receivers that are faulty or hostile, next to one that works. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sampleWorkflow } from '../../conformance/samples/sample-workflow.ts';
import type { ArmError } from '../../contract/client.ts';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { quantile } from './raw-connection.ts';
import { runForever, type TwinProcess, withTwinProcess } from './twin-process.ts';

/** More runs than the maximum number of concurrent deliveries. */
const RUNS = 40;
/** Clock factor; the sample workflow takes 18 s of twin time. */
const PACE = 10;
const WATCH_MS = 12_000;
/** What the young generation of V8 takes by itself: three spaces of 16 MB. */
const GROWTH_MB = 48;
/** The runs without receivers have ended by then. */
const WARM_UP_MS = 4000;
const CALL_EVERY_MS = 100;

/** Where clouds keep the secrets of a machine. */
const FORBIDDEN = 'http://169.254.169.254/latest/meta-data';

const FLOOD = 'x'.repeat(65_536);
/** Maximum sent by the flooding receiver until the twin stops reading: mostly socket buffers. */
const FLOOD_MB = 800;

type Answering = (response: ServerResponse) => void;

/** Bytes sent by the flooding receiver, over all calls. */
let flood_bytes = 0;

/** Faulty replies of a receiver. */
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
  'redirects to the twin': (response) =>
    void response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
  'requests an endless delay': (response) =>
    void response.writeHead(429, { 'Retry-After': '999999999' }).end(),
};

async function startReceiver(answer: (response: ServerResponse, body: string) => void) {
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

/** Durations of normal API calls (ms) during WATCH_MS; a failed call counts as one minute. */
async function measureCalls(program: TwinProcess): Promise<number[]> {
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

/** A workflow that notifies receivers of the states of its runs. */
function notifying(urls: readonly string[]) {
  const type = 'RunStateChangeHook' as const;
  return sampleWorkflow({ hooks: urls.map((url) => ({ type, parameters: { url } })) });
}

async function startRuns({ arm }: TwinProcess, urls: readonly string[]): Promise<void> {
  const { workflow } = await arm.createWorkflow(notifying(urls));
  for (let count = 0; count < RUNS; count++) {
    await arm.startRun({ workflow_id: workflow.id }, { simulate_drivers: true });
  }
}

async function hostileReceivers() {
  const notified: { readonly run_id: string; readonly at_ms: number }[] = [];
  const working = await startReceiver((response, body) => {
    notified.push({ run_id: String(JSON.parse(body).run_id), at_ms: performance.now() });
    response.writeHead(204).end();
  });
  const bad = await Promise.all(Object.values(HOSTILE).map((answer) => startReceiver(answer)));
  try {
    const flags = ['--driver', 'fast', '--clock', String(PACE), '--log-level', 'silent'];
    return await withTwinProcess(flags, async (program) => {
      await runForever(program);
      const statusFor = (url: string) =>
        program.arm.createWorkflow(notifying([url])).then(
          () => 200,
          (error: ArmError) => error.status,
        );
      const forbidden = [FORBIDDEN, `http://127.0.0.1:${program.port}/sim/v1/reset`];
      const statuses = await Promise.all(forbidden.map(statusFor));
      const urls = [working.url, ...bad.map(({ url }) => url)];
      // What so many runs need without receivers is not theirs.
      await startRuns(program, []);
      await wait(WARM_UP_MS);
      const before_mb = await program.memory_mb();
      const start_ms = performance.now();
      await startRuns(program, urls);
      const durations = await measureCalls(program);
      const grown_mb = (await program.memory_mb()) - before_mb;
      const firsts = new Map(notified.toReversed().map(({ run_id, at_ms }) => [run_id, at_ms]));
      const last_ms = Math.max(...firsts.values()) - start_ms;
      const runs = firsts.size;
      const slow = quantile(durations, 0.99);
      const { snapshot } = await program.arm.getSnapshot();
      return outcomeOf(
        `${bad.length} hostile receivers: the working one was notified of ${runs} of ` +
          `${RUNS} runs, ` +
          `the last after ${last_ms.toFixed(0)} ms; ` +
          `${durations.length} API calls, p99 ${slow.toFixed(0)} ms; ` +
          `${(flood_bytes / 1e6).toFixed(0)} MB of replies discarded; ` +
          `memory ${grown_mb >= 0 ? '+' : ''}${grown_mb.toFixed(0)} MB`,
        {
          'forbidden addresses refused': statuses.every((status) => status === 400),
          'notified of every run': runs === RUNS,
          'within 4 s': last_ms < 4000,
          'others unaffected': slow < 250,
          [`< ${GROWTH_MB} MB`]: grown_mb < GROWTH_MB,
          'replies cut off': flood_bytes < FLOOD_MB * 1e6,
          'the arm keeps running': snapshot.control.state === 'running',
        },
      );
    });
  } finally {
    for (const { close } of [working, ...bad]) close();
  }
}

export const webhookReceiverChecks: readonly RobustnessCheck[] = [
  {
    id: 'hostile-hooks',
    fault: 'receivers that never answer, fail, never stop or redirect; forbidden addresses',
    goal: 'a working receiver is notified of every run; calls and the arm are unaffected',
    in: null,
    run: hostileReceivers,
  },
];
