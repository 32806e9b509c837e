/** `armtwin --upstream`: serves the viewer for a remote arm and proxies its API; runs no robot. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { logSourceOf, productVersion } from '../app/product-info.ts';
import type { Config } from '../cli/config.ts';
import { systemClock } from '../clock/clock.ts';
import { refuseOnSocket } from '../http/error-reply.ts';
import { HostPolicy } from '../http/hosts.ts';
import {
  acceptUpgrades,
  closeServer,
  createHttpServer,
  listen,
  RequestGate,
} from '../http/server.ts';
import { createViewerApplication, isProxied } from '../http/viewer-application.ts';
import { createLog } from '../metrics/log.ts';
import { createUpstreamProxy, type UpstreamProxy } from './proxy.ts';

const VIEWER = fileURLToPath(new URL('../../viewer', import.meta.url));

export interface ProxyServer {
  readonly url: string;
  close(): Promise<void>;
}

function proxyStreams(server: Server, proxy: UpstreamProxy, hosts: HostPolicy): void {
  const open = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The idle timeout is for calls; streams use pings.
    request.socket.setTimeout(0);
    if (isProxied(request.url ?? '')) proxy.upgrade(request, socket, head);
    else refuseOnSocket(socket, 'unknown_path', request.url ?? '');
  };
  acceptUpgrades(server, open, hosts);
}

/** Starts the server; resolves when it listens, even if the arm does not answer. */
export async function startUpstreamProxy(
  config: Pick<Config, 'host' | 'port' | 'allowedHosts' | 'logLevel'> & {
    readonly upstream: string;
  },
): Promise<ProxyServer> {
  const { host, upstream } = config;
  const proxy = createUpstreamProxy({
    upstream: new URL(upstream),
    wall: systemClock,
    banner: `${productVersion()}; driver=upstream`,
  });
  const hosts = new HostPolicy([host, ...config.allowedHosts]);
  const gate = new RequestGate(hosts);
  const server = createHttpServer(gate);
  const log = createLog(config.logLevel, logSourceOf({ name: null }));
  const onBug = (error: unknown) => log.error('Unhandled error in a request', error);
  gate.setHandler(createViewerApplication({ ...proxy, viewer: VIEWER, onBug }));
  proxyStreams(server, proxy, hosts);
  const port = await listen(server, config.port, host);
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}`, close: () => closeServer(server, systemClock) };
}
