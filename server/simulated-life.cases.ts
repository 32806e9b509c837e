/** One process of a service on a simulated disk, clock and network. Test code. */
import http from 'node:http';
import type { Duplex } from 'node:stream';
import { assembleTwin, type RunningTwin } from './app/app.ts';
import { hostPolicyOf } from './app/http-assembly.ts';
import { configOf } from './cli/twin-options.ts';
import { HttpServer } from './service/http/http-server.ts';
import { RequestGate } from './service/http/request-gate.ts';
import {
  type CallResult,
  outcomeOf,
  type ServiceCall,
} from './service/http/service-process.cases.ts';
import {
  connectTo,
  type SimulatedReceiver,
  SimulatedWall,
} from './service/http/simulated-network.cases.ts';
import type { SimulatedDisk } from './store/simulated-disk.cases.ts';
import type { Store } from './store/store.ts';
import { type Epochs, openSimulated } from './store/store-history.cases.ts';

const TOKEN = 'token-of-the-simulation-0123456789abcdef';
const PORT = 8080;
const SIZES = { segment_bytes: 12_000, compaction_bytes: 40_000 };

/** Lets the event loop turn so often. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** One process of the service. */
export class SimulatedLife {
  readonly wall = new SimulatedWall();
  private readonly server: HttpServer;
  private readonly gate: RequestGate;
  private readonly connections = new Set<Duplex>();
  /** Turns of the event loop between the halves of a body; 0: it comes as a whole. */
  bodyPause: () => number = () => 0;
  private isOver = false;
  private store: Store | null = null;
  private twin: RunningTwin | null = null;
  /** Calls of the admin. */
  call: ServiceCall = () => Promise.reject(new Error('not started'));
  private readonly config = configOf({ token: TOKEN, webhooks: 'ci', privateHooks: true });

  constructor() {
    this.gate = new RequestGate(hostPolicyOf(this.config));
    this.server = new HttpServer(this.gate);
  }

  async start(disk: SimulatedDisk, epochs: Epochs): Promise<ServiceCall> {
    const { gate, server, wall } = this;
    const open = async () => (this.store = await openSimulated(disk, epochs, SIZES));
    this.twin = await assembleTwin(this.config, { gate, server, port: PORT }, { open, wall });
    const entered = await this.enter(TOKEN);
    if (!entered) throw new Error('the twin admits its admin');
    this.call = entered;
    return entered;
  }

  /** Twin time passes. */
  async advance(ticks: number): Promise<void> {
    await this.twin!.clock.advance(ticks);
  }

  /** Calls of a session of a token; null if there is none. */
  readonly enter = async (token: string): Promise<ServiceCall | null> => {
    const { outcome, reply } = await this.stranger(['POST', '/api/v1/auth', { token }]);
    if (outcome !== 'ok') return null;
    const Authorization = `Bearer ${(reply as { token: string }).token}`;
    return (request, key) => {
      return this.send(request, { Authorization, ...(key && { 'Idempotency-Key': key }) });
    };
  };

  /** Calls without a session. */
  readonly stranger: ServiceCall = (request) => this.send(request, {});

  private send(
    [method, path, body]: readonly [method: string, path: string, body?: object],
    given: Readonly<Record<string, string>>,
  ): Promise<CallResult> {
    if (this.isOver) return Promise.resolve({ outcome: 'unknown', status: 0, reply: null });
    const text = body ? JSON.stringify(body) : '';
    const type = body && { 'Content-Type': 'application/json' };
    const length = { 'Content-Length': String(Buffer.byteLength(text)) };
    const headers = { Host: `127.0.0.1:${PORT}`, ...given, ...type, ...(text !== '' && length) };
    const connection = connectTo(this.server.node);
    this.connections.add(connection);
    return new Promise((resolve) => {
      const lost = () => resolve({ outcome: 'unknown', status: 0, reply: null });
      const options = { method, path, headers, createConnection: () => connection };
      const request = http.request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', lost);
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8');
          const status = response.statusCode!;
          const reply: unknown = answer === '' ? null : JSON.parse(answer);
          resolve({ outcome: outcomeOf(status < 300, answer), status, reply });
        });
      });
      request.on('error', lost);
      request.on('close', () => {
        this.connections.delete(connection);
        lost();
      });
      const pause = text === '' ? 0 : this.bodyPause();
      const sent = pause === 0 ? 0 : Math.floor(text.length / 2);
      if (sent > 0) request.write(text.slice(0, sent));
      void turns(pause).then(() => request.end(text.slice(sent)));
    });
  }

  /** Names of the stored toolpaths with this start, now. */
  namesFrom(start: string): string[] {
    const rows = this.store!.table<{ readonly name: string }>('toolpaths').rows();
    return [...rows].map(([, { name }]) => name).filter((name) => name.startsWith(start));
  }

  /** A client hangs up. */
  hangUp(): void {
    const [connection] = this.connections;
    connection?.destroy();
  }

  /** The process is gone: its timers and connections too. */
  async kill(receiver: SimulatedReceiver): Promise<void> {
    this.isOver = true;
    this.wall.stop();
    receiver.isClosed = true;
    for (const connection of this.connections) connection.destroy();
    this.twin?.clock.stop();
    await turns(20);
    receiver.isClosed = false;
  }
}
