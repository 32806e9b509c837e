/** Discovery over mDNS on the loopback interface. */
import { Bonjour, type Service } from 'bonjour-service';
import { expect, it } from 'vitest';
import { createTwin } from '../index.ts';
import { announce, multicastOptions, SERVICE_TYPE } from './mdns.ts';

const MDNS_PORT = 45_353;

/** Searches for the service; null when none is found within the limit. */
function find(mdnsPort: number, limit_ms: number): Promise<Service | null> {
  const browser = new Bonjour(multicastOptions('127.0.0.1', mdnsPort));
  return new Promise((resolve) => {
    const end = (found: Service | null) => {
      clearTimeout(timer);
      browser.destroy(() => resolve(found));
    };
    const timer = setTimeout(() => end(null), limit_ms);
    browser.findOne({ type: SERVICE_TYPE }, limit_ms, (service: Service | null) => {
      if (service) end(service);
    });
  });
}

it('publishes the name in the TXT record of _automata-eva._tcp until it stops', async () => {
  const errors: unknown[] = [];
  const announced = await announce({
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

it('multicasts on one interface, or on every interface', () => {
  expect(multicastOptions('192.0.2.7')).toEqual({ interface: '192.0.2.7', bind: '0.0.0.0' });
  for (const host of ['0.0.0.0', '::', 'localhost']) {
    expect(multicastOptions(host)).toEqual({ bind: '0.0.0.0' });
  }
});

it('does not advertise unless configured', async () => {
  const twin = await createTwin();
  expect(await find(5353, 300)).toBeNull();
  await twin.close();
});
