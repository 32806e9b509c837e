import { expect, it } from 'vitest';
import { schemaOf } from '../../../contract/schemas.ts';
import { choiceText, fieldLabel, readableName, schemaVariants } from './schema-form.ts';

it('offers every fault kind of the contract, each with its description', () => {
  const kinds = schemaVariants('AddFaultBody');
  expect(kinds.length).toBe(schemaOf('AddFaultBody').oneOf!.length);
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
  expect(kinds.every(({ description }) => description.endsWith('.'))).toBe(true);
  expect(kinds.map(({ name }) => name)).toContain('sensor_noise');
});

it('formats wire names as labels with the unit last', () => {
  expect(readableName('slow_planner')).toBe('Slow planner');
  expect(fieldLabel('delay_s')).toBe('Delay, s');
  expect(fieldLabel('velocity_rad_s')).toBe('Velocity, rad/s');
  expect(fieldLabel('position_rad')).toBe('Position, rad');
  expect(fieldLabel('temperature_c')).toBe('Temperature, °C');
  expect(fieldLabel('times')).toBe('Times');
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
