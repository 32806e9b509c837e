import { resolve } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ArmError } from '../../arms/given-arm.ts';
import { takeArmOption, takesValue } from './arm-option.ts';
import type { CommandHandlers } from './command-handlers.ts';
import { addRunCommand } from './definitions/run.ts';
import { configOf, serveOptions } from './definitions/serve.ts';

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
    'run --discover my-command --arm 3',
    'run --no-proxy my-command --arm 3',
    '--arm-is-supported',
  ])('is not taken from “%s”', (line) => {
    expect(taken(line)).toEqual({ line, arm: undefined });
  });

  it('knows which options of run have a value', () => {
    const program = new Command().enablePositionalOptions();
    addRunCommand(program, {} as CommandHandlers, { options: serveOptions, configOf });
    const options = program.commands[0]!.options;
    expect(options.length).toBeGreaterThan(30);
    for (const { long, required, optional } of options)
      expect([long, takesValue(long!)]).toEqual([long, required || optional]);
  });

  it('gives a folder of the environment from the root on', () => {
    expect(taken('', { ARMTWIN_ARM: 'long' }).arm).toBe(resolve('long'));
  });

  it('needs a value', () => {
    expect(() => taken('serve --arm')).toThrow(ArmError);
  });
});
