import { expect, it } from 'vitest';
import { choiceText, readableName, splitUnit } from './readable-name.ts';

it('formats wire names as labels, and of two units takes the longer one', () => {
  expect(readableName('slow_planner')).toBe('Slow planner');
  const units = [
    ['_s', 's', 1],
    ['_m_s', 'mm/s', 1000],
  ] as const;
  expect(splitUnit('delay_s', units)).toEqual({ label: 'Delay', unit: 's', scale: 1 });
  expect(splitUnit('speed_m_s', units)).toEqual({ label: 'Speed', unit: 'mm/s', scale: 1000 });
  expect(splitUnit('times', units)).toEqual({ label: 'Times', unit: '', scale: 1 });
});

it.each([
  ['input', 'ee_d0', 'Tool i0'],
  ['part_present_input', 'ee_a1', 'Tool a1'],
  ['output', 'ee_d1', 'Tool o1'],
  ['output', 'd1', 'd1'],
  ['effect', 'lost_reply', 'Lost reply'],
])('names the %s %s as the Live page does: %s', (field, value, text) => {
  expect(choiceText(field, value)).toBe(text);
});
