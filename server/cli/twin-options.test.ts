/** `createTwin()` refuses wrong options with a sentence, as the command line does its flags. */
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { createTwin, type TwinOptions } from '../index.ts';
import { checkTwinOptions } from './twin-options.ts';

it.each<[object, string]>([
  [{ prot: 1 }, 'createTwin has no option prot; did you mean port?'],
  [
    { driver: 'fats' },
    'driver is not valid, not "fats". It must be one of rapier, fast, servo, mirrored. Did you',
  ],
  [{ port: 80_808 }, 'port is not valid, not 80808. It must be a whole number from 0 to 65535'],
  [{ clock: 'quick' }, 'clock is not valid, not "quick". It must be stepped, max or a factor.'],
  [{ timezone: 'Mars/Base' }, 'It must be a time zone such as UTC'],
  [{ dialect: 'x' }, 'It must be one of auto, documented, fielded.'],
  [{ token: ' ' }, 'token is not valid. It must not be empty.'],
  [{ allowedOrigins: ['x'] }, 'It must be an origin such as http://localhost:5173'],
  [{ sim: 'no' }, 'It must be true or false.'],
  [{ seed: { name: 1 } }, 'seed is not valid'],
])('refuses %j', (options, sentence) => {
  expect(() => checkTwinOptions(options)).toThrow(TypeError);
  expect(() => checkTwinOptions(options)).toThrow(sentence);
});

it('accepts what the types accept', () => {
  const options: TwinOptions = {
    clock: 10,
    driver: 'fast',
    port: 0,
    token: null,
    seed: { name: 'Arm' },
    allowedHosts: ['twin.example.org'],
    foxglove: 0,
    noise_seed: 3,
    data: undefined as never,
  };
  expect(() => checkTwinOptions(options)).not.toThrow();
});

it('explains a port in use, and frees its own after a failed start', async () => {
  const server = createServer();
  const port = await new Promise<number>((ready) => {
    server.listen(0, '127.0.0.1', () => ready(Number(Object(server.address()).port)));
  });
  await expect(createTwin({ port })).rejects.toThrow(
    `createTwin: Port ${port} on 127.0.0.1 is already in use; choose another`,
  );
  server.close();
  // A data folder below a file cannot be made: the start fails after the port is taken.
  await expect(createTwin({ port, data: 'package.json/data' })).rejects.toThrow('createTwin: ');
  const twin = await createTwin({ port });
  await twin.close();
});
