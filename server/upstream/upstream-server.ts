/**
 * `armtwin --upstream`: the page for an arm elsewhere. It serves the viewer, hands the arm's API on
 * and starts no robot.
 */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../clock/wall-clock.ts';
import type { Config } from '../config.ts';
import { refuseOnSocket } from '../http/error-reply.ts';
import { createHttpServer, Gate, listen, shut } from '../http/server.ts';
import { createViewerApplication, isHandedOn } from '../http/viewer-application.ts';
import { productVersion } from '../identity.ts';
import { createLog } from '../metrics/log.ts';
import { createPassThrough, type PassThrough } from './pass-through.ts';

const VIEWER = fileURLToPath(new URL('../../viewer', import.meta.url));

export interface PassingServer {
  readonly url: string;
  close(): Promise<void>;
}

function openStreams(server: Server, through: PassThrough): void {
  server.on('upgrade', (request, socket, head) => {
    // The bound on silent connections is for calls; streams have signs of life of their own.
    request.socket.setTimeout(0);
    if (isHandedOn(request.url ?? '')) through.upgrade(request, socket, head);
    else refuseOnSocket(socket, 'unknown_path', request.url ?? '');
  });
}

/** Starts the page for the arm at `upstream`; resolves when it listens, arm or no arm. */
export async function startPassThrough(
  config: Pick<Config, 'host' | 'port' | 'logLevel'> & { readonly upstream: string },
): Promise<PassingServer> {
  const { host, upstream } = config;
  const through = createPassThrough({
    upstream: new URL(upstream),
    wall: systemClock,
    banner: `${productVersion()}; driver=upstream`,
  });
  const gate = new Gate();
  const server = createHttpServer(gate);
  const log = createLog(config.logLevel);
  const onBug = (error: unknown) => log.error('A bug while answering', error);
  gate.open(createViewerApplication({ ...through, viewer: VIEWER, onBug }));
  openStreams(server, through);
  const port = await listen(server, config.port, host);
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}`, close: () => shut(server, systemClock) };
}
