/** Many emulated servos on one line: common reads and writes, missing ones, doubled ids. */
import { describe, expect, it } from 'vitest';
import { bench, EVERYBODY } from './bench.cases.ts';
import { DEFAULT_SERVOS } from './servo-emulator.ts';

describe('many servos on one line', () => {
  const position = (id: number) => ({ id, error: 0, data: [0, 8, 0, 0] });
  const sync = (code: number, ...ids: number[]) => [code, 132, 0, 4, 0, ...ids];

  it('answer a common read in the order asked', () => {
    const { ask } = bench();
    expect(ask(EVERYBODY, ...sync(0x82, 3, 1, 2))).toEqual([3, 1, 2].map(position));
    expect(ask(EVERYBODY, 0x92, 1, 132, 0, 4, 0, 2, 64, 0, 1, 0)).toEqual([
      position(1),
      { id: 2, error: 0, data: [0] },
    ]);
  });

  it('fall silent behind a missing one where the chain is cut, else go on', () => {
    const { emulator, ask } = bench();
    emulator.servo(2).dead = true;
    expect(ask(EVERYBODY, ...sync(0x82, 1, 2, 3)).map(({ id }) => id)).toEqual([1]);
    emulator.chainBreaks = false;
    expect(ask(EVERYBODY, ...sync(0x82, 1, 2, 3)).map(({ id }) => id)).toEqual([1, 3]);
  });

  it('join their answers where the firmware can', () => {
    const servos = DEFAULT_SERVOS.map((setup) => ({
      ...setup,
      firmware: setup.id === 6 ? 44 : 45,
    }));
    const { ask, said } = bench({ servos });
    expect(ask(EVERYBODY, ...sync(0x8a, 1, 2))).toHaveLength(1);
    expect(said[0]).toHaveLength(8 + 2 * 8);
    ask(EVERYBODY, ...sync(0x8a, 1, 6));
    expect(said[0]).toHaveLength(8 + 8);
  });

  it('take common writes without a word', () => {
    const { ask, get } = bench();
    expect(ask(EVERYBODY, 0x83, 65, 0, 1, 0, 1, 1, 3, 1)).toEqual([]);
    expect([1, 2, 3].map((id) => get(id, 'led'))).toEqual([1, 0, 1]);
    ask(EVERYBODY, 0x93, 2, 65, 0, 1, 0, 1, 3, 84, 0, 2, 0, 5, 1);
    expect([get(2, 'led'), get(3, 'position_p')]).toEqual([1, 261]);
  });

  it('answer a ping to everybody in the order of their ids', () => {
    const servos = [...DEFAULT_SERVOS].reverse();
    const { ask } = bench({ servos });
    const answers = ask(EVERYBODY, 1);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(answers[0]!.data).toEqual([0x60, 0x04, 47]);
    expect(answers[5]!.data).toEqual([0xfc, 0x03, 47]);
  });

  it('obey a secondary id and never answer for it', () => {
    const shadow = { ...DEFAULT_SERVOS[1]!, id: 20, registers: { baud: 3, secondary_id: 2 } };
    const { ask, put, get } = bench({ servos: [...DEFAULT_SERVOS, shadow] });
    expect(ask(2, 1)).toHaveLength(1);
    put(2, 'led', 1);
    expect(get(20, 'led')).toBe(1);
  });

  it('spoil each other when two have one id', () => {
    const twice = { ...DEFAULT_SERVOS[0]!, model: 'XL330-M288' as const };
    const { ask, said } = bench({ servos: [...DEFAULT_SERVOS, twice] });
    expect(ask(1, 1)).toEqual([]);
    expect(said).toHaveLength(1);
  });

  it('hear nothing at another baud', () => {
    const servos = DEFAULT_SERVOS.map((setup) => ({ ...setup, registers: { baud: 1 } }));
    const { ask } = bench({ servos });
    expect(ask(EVERYBODY, 1)).toEqual([]);
  });

  it('speak as little as they are told to', () => {
    const { ask, put } = bench();
    put(1, 'status_level', 1);
    expect(ask(1, 3, 65, 0, 1)).toEqual([]);
    expect(ask(1, 2, 65, 0, 1, 0)[0]!.data).toEqual([1]);
    put(1, 'status_level', 0);
    expect(ask(1, 2, 65, 0, 1, 0)).toEqual([]);
    expect(ask(1, 1)).toHaveLength(1);
  });
});
