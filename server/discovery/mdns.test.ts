/** An arm on the loopback is found by the service that clients in the field look for. */
import { Bonjour, type Service } from 'bonjour-service';
import { expect, it } from 'vitest';
import { createTwin } from '../index.ts';
import { announce, multicastOptions, SERVICE_TYPE } from './mdns.ts';

const MDNS_PORT = 45_353;

/** What is found within a while; null when nothing is. */
function find(mdnsPort: number, limit_ms: number): Promise<Service | null> {
  const seeker = new Bonjour(multicastOptions('127.0.0.1', mdnsPort));
  return new Promise((resolve) => {
    const end = (found: Service | null) => {
      clearTimeout(timer);
      seeker.destroy(() => resolve(found));
    };
    const timer = setTimeout(() => end(null), limit_ms);
    seeker.findOne({ type: SERVICE_TYPE }, limit_ms, (service: Service | null) => {
      if (service) end(service);
    });
  });
}

it('names the arm in the TXT record of _automata-eva._tcp, until it stops', async () => {
  const errors: unknown[] = [];
  const announced = announce({
    name: 'Quiet Harbour Fox',
    port: 4321,
    host: '127.0.0.1',
    mdnsPort: MDNS_PORT,
    onError: (error) => errors.push(error),
  });
  const found = await find(MDNS_PORT, 5000);
  expect(found).toMatchObject({
    type: SERVICE_TYPE,
    protocol: 'tcp',
    port: 4321,
    txt: { name: 'Quiet Harbour Fox' },
  });
  expect(found?.fqdn).toBe('Quiet Harbour Fox._automata-eva._tcp.local');
  await announced.stop();
  expect(await find(MDNS_PORT, 500)).toBeNull();
  expect(errors).toEqual([]);
});

it('goes out on one address, or on all', () => {
  expect(multicastOptions('192.0.2.7')).toEqual({ interface: '192.0.2.7', bind: '0.0.0.0' });
  for (const host of ['0.0.0.0', '::', 'localhost']) {
    expect(multicastOptions(host)).toEqual({ bind: '0.0.0.0' });
  }
});

it('is silent unless asked', async () => {
  const quiet = await createTwin();
  expect(await find(5353, 300)).toBeNull();
  await quiet.close();
});
