/** The verbs around a servo bus, against the emulator over TCP. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calibrateVerb } from './calibrate.ts';
import { doctorVerb } from './doctor.ts';
import { emulateBusVerb } from './emulate-bus.ts';

function output() {
  const said = { out: '', err: '' };
  const to = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  return { said, io: { out: to('out'), err: to('err') } };
}

describe('verbs around a servo bus', () => {
  let emulated: Awaited<ReturnType<typeof emulateBusVerb>>;
  let bus = '';
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-servo-'));

  beforeAll(async () => {
    const { said, io } = output();
    emulated = await emulateBusVerb({ tcp: 0 }, io);
    bus = said.out.trim().replace('armtwin bus ready ', '');
  });
  afterAll(async () => {
    await emulated.close();
    rmSync(folder, { recursive: true });
  });

  it('the emulator says where it is', () => {
    expect(bus).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/);
  });

  it('the doctor prints the servos and answers 0', async () => {
    const { said, io } = output();
    expect(await doctorVerb({ bus }, io)).toBe(0);
    expect(said.out).toMatch(/^ID {2}MODEL .*\n1 {3}XM540-W270 +47 +1000000 +12 V/);
    expect(said.out).toMatch(/all is well\n$/);
  });

  it('the doctor answers 2 for a bus that is none, and rejects one that is away', async () => {
    const { said, io } = output();
    expect(await doctorVerb({ bus: 'usb' }, io)).toBe(2);
    expect(said.err).toMatch(/names no servo bus/);
    await expect(doctorVerb({ bus: 'tcp://127.0.0.1:1' }, io)).rejects.toThrow(/emulator runs/);
  });

  it.each(['1,2,3', '1,2,3,4,5,5', '1,2,3,4,5,x', '1,2,3,4,5,', '1,2,3,4,5,253'])(
    'calibrate refuses --ids %s before anything goes limp',
    async (ids) => {
      const { said, io } = output();
      const call = { bus, out: join(folder, 'calibration.json'), ids };
      expect(await calibrateVerb(call, { ...io, input: new PassThrough() })).toBe(2);
      expect(said).toEqual({ out: '', err: expect.stringMatching(/--ids takes six different/) });
    },
  );

  it('a second emulator on the same port says which flag takes another', async () => {
    const tcp = Number(bus.split(':').at(-1));
    await expect(emulateBusVerb({ tcp }, output().io)).rejects.toThrow(/is taken: .* --tcp 0/);
  });

  it('calibrate says why it could not', async () => {
    const { said, io } = output();
    const input = new PassThrough();
    input.end('\n'.repeat(20));
    const file = join(folder, 'calibration.json');
    expect(await calibrateVerb({ bus, out: file }, { ...io, input })).toBe(1);
    expect(said.err).toMatch(/Joint 0 .*did not turn/);
    expect(() => readFileSync(file)).toThrow();
  });
});
