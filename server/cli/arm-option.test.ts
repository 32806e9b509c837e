import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ArmError } from '../../arms/given-arm.ts';
import { takeArmOption } from './arm-option.ts';

function taken(line: string, environment: NodeJS.ProcessEnv = {}) {
  const words = line.split(' ').filter((word) => word !== '');
  takeArmOption(words, environment);
  return { line: words.join(' '), arm: environment['ARMTWIN_ARM'] };
}

describe('the option --arm', () => {
  it.each([
    ['--arm default --port 0', '--port 0', 'default'],
    ['plan a.json --arm=./long --json', 'plan a.json --json', resolve('long')],
    ['run --clock 10 --arm default -- python3 a.py', 'run --clock 10 -- python3 a.py', 'default'],
  ])('of “%s” is taken off the line', (line, rest, arm) => {
    expect(taken(line)).toEqual({ line: rest, arm });
  });

  it.each([
    'run -- python3 a.py --arm 3',
    'run python3 a.py --arm 3',
    'run --port=0 ./a.py --arm 3',
    '--arm-is-supported',
  ])('is not taken from “%s”', (line) => {
    expect(taken(line)).toEqual({ line, arm: undefined });
  });

  it('gives a folder of the environment from the root on', () => {
    expect(taken('', { ARMTWIN_ARM: 'long' }).arm).toBe(resolve('long'));
  });

  it('needs a value', () => {
    expect(() => taken('serve --arm')).toThrow(ArmError);
  });
});
