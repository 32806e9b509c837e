/** The output of the log: order, outputs that take nothing or fail, and what is lost. */

import { expect, it } from 'vitest';
import { LOG_BUFFER_BYTES, LogOutput } from './log-output.ts';

/** An output that takes so many bytes, or fails. */
function outputOf(free_bytes: number) {
  const state = { free_bytes, error: '', text: '' };
  const timers: (() => void)[] = [];
  const clock = {
    epoch_ms: () => 0,
    afterUnreferenced: (_: number, callback: () => void) => {
      timers.push(callback);
      return () => {};
    },
  };
  const output = new LogOutput((bytes) => {
    const code = state.error || (state.free_bytes === 0 ? 'EAGAIN' : '');
    if (code) throw Object.assign(new Error(code), { code });
    const taken = Buffer.from(bytes).subarray(0, state.free_bytes);
    state.free_bytes -= taken.length;
    state.text += taken.toString();
    return taken.length;
  }, clock);
  return { state, output, timers, retry: () => timers.shift()?.() };
}

it('writes lines at once while the output takes them', () => {
  const { output, state, timers } = outputOf(100);
  output.write('a\n');
  output.write('b\n');
  expect(state.text).toBe('a\nb\n');
  expect(timers).toEqual([]);
});

it('keeps the order and every byte of an output that takes some bytes at a time', () => {
  const { output, state, timers, retry } = outputOf(3);
  output.write('först\n');
  output.write('second\n');
  expect(timers).toHaveLength(1);
  for (let i = 0; i < 20; i++) {
    state.free_bytes = 1;
    retry();
  }
  expect(state.text).toBe('först\nsecond\n');
  expect(output.lost).toBe(0);
  expect(timers).toEqual([]);
});

it('loses lines beyond its buffer, and says how many once the output goes on', () => {
  const { output, state, retry } = outputOf(0);
  const line = `${'x'.repeat(1023)}\n`;
  const kept = LOG_BUFFER_BYTES / line.length;
  for (let i = 0; i < kept + 3; i++) output.write(line);
  expect(output.lost).toBe(3);
  state.free_bytes = 2 * LOG_BUFFER_BYTES;
  retry();
  const lines = state.text.trimEnd().split('\n');
  expect(lines.filter((one) => one.startsWith('x'))).toHaveLength(kept);
  const named = lines.filter((one) => one.startsWith('{')).map((one) => JSON.parse(one));
  expect(named).toEqual([
    {
      level: 'warn',
      time: '1970-01-01T00:00:00.000Z',
      msg: '3 lines of the log were lost: the output takes nothing',
    },
  ]);
  output.write('after\n');
  expect(state.text.endsWith('after\n')).toBe(true);
});

it('loses what a full disk refuses, without an error, and writes again when there is space', () => {
  const { output, state, timers } = outputOf(1000);
  state.error = 'ENOSPC';
  output.write('lost\n');
  output.write('lost too\n');
  expect(output.lost).toBe(2);
  expect(timers).toEqual([]);
  state.error = '';
  output.write('kept\n');
  expect(state.text).toContain('kept\n');
  expect(state.text).toContain('2 lines of the log were lost: ENOSPC');
  expect(state.text).not.toContain('lost too');
});
