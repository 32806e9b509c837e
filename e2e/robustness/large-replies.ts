/** An arm behind `--upstream` that sends replies of a gigabyte. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { type TwinProcess, withTwinProcess } from './twin-process.ts';

const REPLY_BYTES = 1e9;
const PIECE = Buffer.alloc(64 * 1024, 'x');
/** Maximum in transit to a client that does not read: four socket buffers (MB). */
const BETWEEN_MB = 200;
const MEMORY_MB = 100;
const STILL_MS = 2000;
const GONE_MS = 2000;

/** Starts an arm whose every reply is a gigabyte; counts sent bytes and aborted replies. */
async function openArm() {
  const sent = { bytes: 0, cut: 0 };
  const server = createServer((_, response: ServerResponse) => {
    response.writeHead(200, { 'Content-Length': REPLY_BYTES });
    let left_bytes = REPLY_BYTES;
    const send = () => {
      while (left_bytes > 0) {
        const piece = PIECE.subarray(0, Math.min(PIECE.length, left_bytes));
        left_bytes -= piece.length;
        sent.bytes += piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on('drain', send).on('error', () => {});
    response.on('close', () => {
      if (!response.writableFinished) sent.cut += 1;
    });
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    sent,
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function requestSnapshot(program: TwinProcess): Promise<IncomingMessage> {
  const request = get(`${program.url}/api/v1/data/snapshot`);
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.on('error', () => {});
  return reply;
}

/** Reads a whole reply; returns its size and the peak memory of the twin (MB). */
async function readAll(program: TwinProcess, reply: IncomingMessage) {
  let read_bytes = 0;
  let most_mb = 0;
  let next_ms = 0;
  for await (const piece of reply) {
    read_bytes += (piece as Buffer).length;
    if (performance.now() < next_ms) continue;
    next_ms = performance.now() + 100;
    most_mb = Math.max(most_mb, await program.memory_mb());
  }
  return { read_bytes, most_mb };
}

async function largeReplies() {
  const arm = await openArm();
  const flags = ['--upstream', arm.url, '--log-level', 'silent'];
  try {
    return await withTwinProcess(flags, async (program) => {
      const before_mb = await program.memory_mb();
      const start_ms = performance.now();
      const { read_bytes, most_mb } = await readAll(program, await requestSnapshot(program));
      const took_s = (performance.now() - start_ms) / 1000;
      const sent_bytes = arm.sent.bytes;
      const unread = await requestSnapshot(program);
      await wait(STILL_MS);
      const early_bytes = arm.sent.bytes;
      await wait(STILL_MS);
      const between_mb = (arm.sent.bytes - sent_bytes) / 1e6;
      const idle = arm.sent.bytes === early_bytes;
      const grown_mb = Math.max(most_mb, await program.memory_mb()) - before_mb;
      const alive = await fetch(`${program.url}/livez`);
      unread.destroy();
      const gone_ms = performance.now();
      while (arm.sent.cut === 0 && performance.now() - gone_ms < GONE_MS) await wait(10);
      const cut_ms = performance.now() - gone_ms;
      return outcomeOf(
        `${(read_bytes / 1e6).toFixed(0)} MB in ${took_s.toFixed(1)} s, memory ` +
          `+${grown_mb.toFixed(0)} MB; ${between_mb.toFixed(1)} MB in transit to a client that ` +
          `does not read; upstream aborted ${cut_ms.toFixed(0)} ms after the client left`,
        {
          whole: read_bytes === REPLY_BYTES,
          [`< ${MEMORY_MB} MB`]: grown_mb < MEMORY_MB,
          backpressure: between_mb < BETWEEN_MB && idle,
          'others served': alive.status === 200,
          'aborted with its client': arm.sent.cut === 1,
        },
      );
    });
  } finally {
    arm.close();
  }
}

export const largeReplyChecks: readonly RobustnessCheck[] = [
  {
    id: 'large-replies',
    fault:
      'an arm behind --upstream that replies a gigabyte, to a client that stops reading and leaves',
    goal: 'forwarded completely in bounded memory, with backpressure, and aborted with its client',
    in: null,
    run: largeReplies,
  },
];
