/** `armtwin --upstream`: serves the viewer for a remote arm and proxies its API; runs no robot. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { logSourceOf, productVersion } from '../../app/product-info.ts';
import type { Config } from '../../cli/config.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import { refuseOnSocket, sendRefusal } from '../http/error-response.ts';
import type { ExchangeListener } from '../http/exchange.ts';
import { acceptUpgrades } from '../http/handshakes.ts';
import { HostPolicy } from '../http/host-policy.ts';
import { HttpServer } from '../http/http-server.ts';
import { allowOrigin, originRefusal } from '../http/origins.ts';
import { RequestGate } from '../http/request-gate.ts';
import { createLog } from '../logging/log.ts';
import { isProxied } from './proxied-paths.ts';
import { createUpstreamProxy, type UpstreamProxy } from './upstream-proxy.ts';
import { createViewerApplication } from './viewer-application.ts';

const VIEWER = fileURLToPath(new URL('../../../viewer', import.meta.url));

export interface ProxyServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Who may use the service, as its options name them. */
interface Admission {
  readonly hosts: HostPolicy;
  readonly origins: readonly string[];
}

function proxyStreams(
  server: HttpServer,
  proxy: UpstreamProxy,
  { hosts, origins }: Admission,
): void {
  const open = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The idle timeout is for calls; streams use pings.
    request.socket.setTimeout(0);
    const foreign = originRefusal(request, origins);
    if (foreign) refuseOnSocket(socket, foreign.refused, String(foreign.details));
    else if (isProxied(request.url ?? '')) proxy.upgrade(request, socket, head);
    else refuseOnSocket(socket, 'unknown_path', request.url ?? '');
  };
  acceptUpgrades(server, open, hosts);
}

/** Passes on the requests of no page, of pages of this server and of allowed origins. */
function checkOrigins(handler: RequestListener, origins: readonly string[]): ExchangeListener {
  return ({ request, response }) => {
    const foreign = originRefusal(request, origins);
    if (foreign) return sendRefusal(response, foreign);
    const isAllowed = allowOrigin(request, response, origins);
    if (isAllowed && request.method === 'OPTIONS') response.writeHead(204).end();
    else handler(request, response);
  };
}

/** Starts the server; resolves when it listens, even if the arm does not answer. */
export async function startUpstreamProxy(
  config: Pick<Config, 'host' | 'port' | 'allowedHosts' | 'allowedOrigins' | 'logLevel'> & {
    readonly upstream: string;
  },
  wall = systemClock,
): Promise<ProxyServer> {
  const { host, upstream, allowedOrigins: origins } = config;
  const proxy = createUpstreamProxy({
    upstream: new URL(upstream),
    wall,
    banner: `${productVersion()}; driver=upstream`,
    id: `1.1 armtwin-${randomUUID()}`,
  });
  const hosts = new HostPolicy([host, ...config.allowedHosts]);
  const gate = new RequestGate(hosts);
  const server = new HttpServer(gate);
  const log = createLog(config.logLevel, logSourceOf({ name: null }));
  const onBug = (error: unknown) => log.error('Unhandled error in a request', error);
  const application = createViewerApplication({ ...proxy, viewer: VIEWER, onBug });
  gate.setHandler(checkOrigins(application, origins));
  proxyStreams(server, proxy, { hosts, origins });
  const port = await server.listen(config.port, host);
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}`, close: () => server.close(systemClock) };
}
