/** What the environment says in ways that flags do not know. */
import { expect, it } from 'vitest';
import { serveOptions } from './command-line.ts';
import { settleEnvironment } from './environment.ts';

function settled(given: Record<string, string>) {
  const environment = { ...given };
  const doubts = settleEnvironment(environment, serveOptions);
  return { environment, doubts };
}

it('takes an empty variable as none', () => {
  expect(settled({ ARMTWIN_TOKEN: '', OTHER: '' }).environment).toEqual({ OTHER: '' });
});

it.each(['0', 'false', 'No', 'off'])('takes a switch that says %s as not set', (ARMTWIN_NO_SIM) => {
  expect(settled({ ARMTWIN_NO_SIM }).environment).toEqual({});
});

it('leaves a switch that is on, and values that are no switches', () => {
  const given = { ARMTWIN_NO_SIM: 'true', ARMTWIN_PORT: '0', ARMTWIN_DISCOVER: '1' };
  expect(settled(given)).toEqual({ environment: given, doubts: [] });
});

it('doubts a name that is nearly one of ours, and no other', () => {
  expect(settled({ ARMTWIN_PROT: '1', ARMTWIN_MAIN: 'x', PROT: '2' }).doubts).toEqual([
    'ARMTWIN_PROT means nothing here. Did you mean ARMTWIN_PORT?',
  ]);
});
