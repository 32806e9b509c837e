import { expect, it } from 'vitest';
import type { Schema } from '../schemas.ts';
import { documentNotes, fieldNote } from './field-notes.ts';

it('adds unit, bounds and default to the description for a type', () => {
  const noteOf = (name: string, field: Schema) => fieldNote(field, { owner: 'Box', name });
  const field = { type: 'number', minimum: 0, maximum: 5, default: 1 };
  expect(noteOf('height_m', field)).toBe('Height. 0 to 5 m. Default 1.');
  expect(noteOf('kind', { const: 'box' })).toBe('Always `box`.');
  expect(noteOf('unheard_of', {})).toBeUndefined();
});

it('adds only the unit in documents, which show bounds and constants', () => {
  const height_m = { type: 'number', minimum: 0, maximum: 5 };
  const length_m = { type: 'number', description: 'Length (m).' };
  const kind = { const: 'box' };
  const row = { items: { properties: { height_m } } };
  const notes = documentNotes('Box', {
    oneOf: [{ properties: { kind, height_m, length_m, row } }],
  });
  expect(notes).toMatchObject({ height_m: 'Height. In m.', 'row.height_m': 'Height. In m.' });
  expect(notes).not.toHaveProperty('kind');
  expect(notes).not.toHaveProperty('length_m');
});

it('refuses two descriptions of one field', () => {
  const option = (description: string) => ({ properties: { mass_kg: { description } } });
  const schema = { oneOf: [option('Mass.'), option('Weight.')] };
  expect(() => documentNotes('Box', schema)).toThrow('Box.mass_kg has two descriptions');
});
