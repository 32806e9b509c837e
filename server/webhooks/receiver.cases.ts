/** A webhook receiver for tests and the demo: records requests and answers as configured. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryContent, DeliveryRecord } from './delivery-record.ts';
import { Outbox, type OutboxSizes } from './outbox.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves after this many calls. */
  heard(count: number): Promise<void>;
  /** Resolves after a call that matches. */
  until(isMeant: (call: Received) => boolean): Promise<void>;
  close(): Promise<void>;
}

export type Answering = (response: ServerResponse, call: Received, index: number) => void;

const accept: Answering = (response) => response.writeHead(204).end();

/** Opens a receiver on a port, by default a free one. */
export async function openReceiver(
  answering: Answering = accept,
  wanted_port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];
  const soon = (isOver: () => boolean) =>
    new Promise<void>((resolve) => {
      if (isOver()) resolve();
      else waiting.push({ isOver, resolve });
    });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = { headers: request.headers, text: Buffer.concat(chunks).toString('utf8') };
      received.push(call);
      answering(response, call, received.length - 1);
      for (const { isOver, resolve } of waiting) if (isOver()) resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(wanted_port, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    heard: (count) => soon(() => received.length >= count),
    until: (isMeant) => soon(() => received.some(isMeant)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An outbox and its store. */
export interface OpenOutbox {
  readonly store: Store;
  readonly outbox: Outbox;
  /** Stores deliveries; they are queued once they are durable. */
  readonly add: (...contents: DeliveryContent[]) => Promise<DeliveryRecord[]>;
  readonly close: () => Promise<void>;
}

/** Opens the outbox of a data folder, or one in memory. */
export async function openOutbox(
  place = ':memory:',
  sizes: Partial<OutboxSizes> = {},
): Promise<OpenOutbox> {
  const store = await openStore(place);
  const outbox = new Outbox(store, sizes);
  return {
    store,
    outbox,
    async add(...contents) {
      const deliveries = await store.change((draft) => outbox.add(draft, contents));
      outbox.accept(deliveries);
      return deliveries;
    },
    close: () => store.close(),
  };
}
