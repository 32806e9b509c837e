import { expect, it } from 'vitest';
import { terminalLine } from './terminal-line.ts';

const line = (fields: object) =>
  terminalLine(
    `${JSON.stringify({ level: 'info', time: '2026-01-31T09:30:00.000Z', instance: 'a', version: '1', ...fields })}\n`,
    false,
  );

it('has time of day, level, text and the other fields', () => {
  expect(line({ msg: 'Started', driver: 'fast', port: 80, faults: [1] })).toBe(
    '09:30:00 info  Started  driver=fast port=80 faults=[1]\n',
  );
  expect(line({ level: 'warn', msg: 'J2 is hot' })).toBe('09:30:00 warn  J2 is hot\n');
});

it('has the stack of an error below', () => {
  const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at there' };
  expect(line({ level: 'error', msg: 'Failed', err })).toBe(
    '09:30:00 error Failed\nError: no\n    at there\n',
  );
});

it('colours warnings and errors where the terminal shows colours', () => {
  const json = '{"level":"error","time":"2026-01-31T09:30:00.000Z","msg":"no"}\n';
  expect(terminalLine(json, true)).toBe('\x1b[2m09:30:00\x1b[0m \x1b[31merror no\x1b[0m\n');
});

it('leaves what is no JSON as it is', () => {
  expect(terminalLine('armtwin ready\n', true)).toBe('armtwin ready\n');
});
