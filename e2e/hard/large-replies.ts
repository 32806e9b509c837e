/** An arm elsewhere that says far more than anybody wants, behind `--upstream`. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Check, outcomeOf } from './check.ts';
import { type Program, withProgram } from './program.ts';

const REPLY_BYTES = 1e9;
const PIECE = Buffer.alloc(64 * 1024, 'x');
/** What may lie between the arm and a client that does not read: four buffers of the system. */
const BETWEEN_MB = 200;
const MEMORY_MB = 100;
const STILL_MS = 2000;
const GONE_MS = 2000;

/** An arm whose every reply is a gigabyte; how much of it has left, and whether it was cut. */
async function openArm() {
  const said = { bytes: 0, cut: 0 };
  const server = createServer((_, response: ServerResponse) => {
    response.writeHead(200, { 'Content-Length': REPLY_BYTES });
    let left_bytes = REPLY_BYTES;
    const pour = () => {
      while (left_bytes > 0) {
        const piece = PIECE.subarray(0, Math.min(PIECE.length, left_bytes));
        left_bytes -= piece.length;
        said.bytes += piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on('drain', pour).on('error', () => {});
    response.on('close', () => {
      if (!response.writableFinished) said.cut += 1;
    });
    pour();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    said,
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function ask(program: Program): Promise<IncomingMessage> {
  const request = get(`${program.url}/api/v1/data/snapshot`);
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.on('error', () => {});
  return reply;
}

/** Reads all of a reply; the most memory (MB) meanwhile. */
async function readAll(program: Program, reply: IncomingMessage) {
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
    return await withProgram(flags, async (program) => {
      const before_mb = await program.memory_mb();
      const start_ms = performance.now();
      const { read_bytes, most_mb } = await readAll(program, await ask(program));
      const took_s = (performance.now() - start_ms) / 1000;
      const sent_bytes = arm.said.bytes;
      const unread = await ask(program);
      await wait(STILL_MS);
      const early_bytes = arm.said.bytes;
      await wait(STILL_MS);
      const between_mb = (arm.said.bytes - sent_bytes) / 1e6;
      const idle = arm.said.bytes === early_bytes;
      const grown_mb = Math.max(most_mb, await program.memory_mb()) - before_mb;
      const alive = await fetch(`${program.url}/livez`);
      unread.destroy();
      const gone_ms = performance.now();
      while (arm.said.cut === 0 && performance.now() - gone_ms < GONE_MS) await wait(10);
      const cut_ms = performance.now() - gone_ms;
      return outcomeOf(
        `${(read_bytes / 1e6).toFixed(0)} MB in ${took_s.toFixed(1)} s, memory ` +
          `+${grown_mb.toFixed(0)} MB; ${between_mb.toFixed(1)} MB under way to a client that ` +
          `does not read; the arm's end ${cut_ms.toFixed(0)} ms after it went`,
        {
          whole: read_bytes === REPLY_BYTES,
          [`< ${MEMORY_MB} MB`]: grown_mb < MEMORY_MB,
          'held back': between_mb < BETWEEN_MB && idle,
          'others served': alive.status === 200,
          'ended with its client': arm.said.cut === 1,
        },
      );
    });
  } finally {
    arm.close();
  }
}

export const largeReplyChecks: readonly Check[] = [
  {
    id: 'large-replies',
    fault: 'an arm behind --upstream that answers a gigabyte, to a client that stops and goes',
    goal: 'passed on whole in bounded memory, held back with its client, ended with its client',
    quick: false,
    run: largeReplies,
  },
];
