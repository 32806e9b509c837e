/** Several emulated servos on one bus: group reads and writes, missing servos, duplicate ids. */
import { describe, expect, it } from 'vitest';
import { ALL_SERVOS, emulatorFixture } from './emulator-fixture.cases.ts';
import { DEFAULT_SERVOS } from './servo-setup.ts';

describe('several servos on one bus', () => {
  const position = (id: number) => ({ id, error: 0, data: [0, 8, 0, 0] });
  const sync = (code: number, ...ids: number[]) => [code, 132, 0, 4, 0, ...ids];

  it('reply to a group read in the order of the request', () => {
    const { send } = emulatorFixture();
    expect(send(ALL_SERVOS, ...sync(0x82, 3, 1, 2))).toEqual([3, 1, 2].map(position));
    expect(send(ALL_SERVOS, 0x92, 1, 132, 0, 4, 0, 2, 64, 0, 1, 0)).toEqual([
      position(1),
      { id: 2, error: 0, data: [0] },
    ]);
  });

  it('stay silent after a missing one when the chain is broken, else reply', () => {
    const { emulator, send } = emulatorFixture();
    emulator.servo(2).dead = true;
    expect(send(ALL_SERVOS, ...sync(0x82, 1, 2, 3)).map(({ id }) => id)).toEqual([1]);
    emulator.chainBreaks = false;
    expect(send(ALL_SERVOS, ...sync(0x82, 1, 2, 3)).map(({ id }) => id)).toEqual([1, 3]);
  });

  it('reply in one status when the firmware supports it', () => {
    const servos = DEFAULT_SERVOS.map((setup) => ({
      ...setup,
      firmware: setup.id === 6 ? 44 : 45,
    }));
    const { send, replies } = emulatorFixture({ servos });
    expect(send(ALL_SERVOS, ...sync(0x8a, 1, 2))).toHaveLength(1);
    expect(replies[0]).toHaveLength(8 + 2 * 8);
    send(ALL_SERVOS, ...sync(0x8a, 1, 6));
    expect(replies[0]).toHaveLength(8 + 8);
  });

  it('execute group writes without a reply', () => {
    const { send, read } = emulatorFixture();
    expect(send(ALL_SERVOS, 0x83, 65, 0, 1, 0, 1, 1, 3, 1)).toEqual([]);
    expect([1, 2, 3].map((id) => read(id, 'led'))).toEqual([1, 0, 1]);
    send(ALL_SERVOS, 0x93, 2, 65, 0, 1, 0, 1, 3, 84, 0, 2, 0, 5, 1);
    expect([read(2, 'led'), read(3, 'position_p')]).toEqual([1, 261]);
  });

  it('reply to a broadcast ping in the order of ids', () => {
    const servos = [...DEFAULT_SERVOS].reverse();
    const { send } = emulatorFixture({ servos });
    const answers = send(ALL_SERVOS, 1);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(answers[0]!.data).toEqual([0x60, 0x04, 47]);
    expect(answers[5]!.data).toEqual([0xfc, 0x03, 47]);
  });

  it('execute packets to a secondary id without a reply', () => {
    const shadow = { ...DEFAULT_SERVOS[1]!, id: 20, registers: { baud: 3, secondary_id: 2 } };
    const { send, write, read } = emulatorFixture({ servos: [...DEFAULT_SERVOS, shadow] });
    expect(send(2, 1)).toHaveLength(1);
    write(2, 'led', 1);
    expect(read(20, 'led')).toBe(1);
  });

  it('corrupt each other when two have the same id', () => {
    const twice = { ...DEFAULT_SERVOS[0]!, model: 'XL330-M288' as const };
    const { send, replies } = emulatorFixture({ servos: [...DEFAULT_SERVOS, twice] });
    expect(send(1, 1)).toEqual([]);
    expect(replies).toHaveLength(1);
  });

  it('receive nothing at another baud', () => {
    const servos = DEFAULT_SERVOS.map((setup) => ({ ...setup, registers: { baud: 1 } }));
    const { send } = emulatorFixture({ servos });
    expect(send(ALL_SERVOS, 1)).toEqual([]);
  });

  it('reply according to their status level', () => {
    const { send, write } = emulatorFixture();
    write(1, 'status_level', 1);
    expect(send(1, 3, 65, 0, 1)).toEqual([]);
    expect(send(1, 2, 65, 0, 1, 0)[0]!.data).toEqual([1]);
    write(1, 'status_level', 0);
    expect(send(1, 2, 65, 0, 1, 0)).toEqual([]);
    expect(send(1, 1)).toHaveLength(1);
  });
});
