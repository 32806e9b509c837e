import { type Signal, signal } from '@preact/signals';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { validate } from '../../../contract/validator.ts';
import { type Drawn, draw } from '../../ui/drawn.cases.ts';
import { bind } from '../../ui/fields.tsx';
import type { PartList } from './cell-edit.ts';
import { NEW_DEVICES } from './device-fields.tsx';
import { FAULT_KINDS, FAULT_UNITS } from './fault-kinds.ts';
import { PartFields } from './part-fields.tsx';
import { firstValues, SchemaFields, sentValues, type Values } from './schema-fields.tsx';

afterEach(() => vi.unstubAllGlobals());

/** The fields of a part, and the values that they lead to. */
function fieldsOf(list: PartList, first: Values) {
  const values = signal(first);
  const Fields = ({ of }: { readonly of: Signal<Values> }) => (
    <PartFields list={list} {...bind(of)} />
  );
  return { values, ...draw(<Fields of={values} />) };
}

const labelsOf = ({ root }: Drawn) =>
  [...root.querySelectorAll('[aria-label]')].map((field) => field.getAttribute('aria-label'));

/** Types a text into a field, or chooses it. */
async function enter({ find, fire }: Drawn, label: string, text: string): Promise<void> {
  const field = find(`[aria-label="${label}"]`);
  Object.defineProperty(field, 'value', { value: text, writable: true, configurable: true });
  await fire(`[aria-label="${label}"]`, field.localName === 'select' ? 'change' : 'input');
}

describe('the fields of a device', () => {
  const belt = { position: { x: 1 / 3, y: 0, z: 0 }, size_m: { x: 1, y: 1, z: 1 }, output: 'd1' };

  it('show millimetres and degrees, and change metres and radians', async () => {
    const drawn = fieldsOf('conveyors', belt);
    expect(drawn.find('[aria-label="Position x, mm"]')).toMatchObject({ value: '333.333' });
    await enter(drawn, 'Position y, mm', '250');
    await enter(drawn, 'Speed, mm/s', '-40');
    await enter(drawn, 'Turn, °', '90');
    const { position, speed_m_s, orientation } = drawn.values.value as Record<
      string,
      { z: number }
    >;
    expect([position, speed_m_s]).toEqual([{ x: 1 / 3, y: 0.25, z: 0 }, -0.04]);
    expect(orientation?.z).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it('send an optional part of it once that has an input', async () => {
    const drawn = fieldsOf('conveyors', belt);
    await enter(drawn, 'Encoder span, mm', '500');
    expect(sentValues(drawn.values.value)['encoder']).toBeUndefined();
    await enter(drawn, 'Encoder input', 'a0');
    expect(sentValues(drawn.values.value)['encoder']).toMatchObject({ input: 'a0', span_m: 0.5 });
  });

  it('offer a flag as a choice with a default', async () => {
    const drawn = fieldsOf('controls', { kind: 'door' });
    const options = [...drawn.find('[aria-label="Stops"]').children];
    expect(options.map(({ textContent }) => textContent)).toEqual(['default', 'True', 'False']);
    await enter(drawn, 'Stops', 'false');
    expect(drawn.values.value).toMatchObject({ stops: false });
    await enter(drawn, 'Stops', '');
    expect(drawn.values.value['stops']).toBeUndefined();
  });

  it.each(NEW_DEVICES)('of %s change nothing by themselves: %o', (list, values) => {
    const drawn = fieldsOf(list, values);
    expect(labelsOf(drawn).length).toBeGreaterThan(0);
    expect(drawn.values.value).toBe(values);
  });
});

describe('the fields of an object', () => {
  it('show a tube in millimetres, and take 1 mm for a length that is cleared', async () => {
    const shape = { kind: 'tube', diameter_m: 0.016, height_m: 0.06 };
    const drawn = fieldsOf('objects', { shape, mass_kg: 0.1 });
    expect(labelsOf(drawn)).toEqual(['diameter, mm', 'height, mm', 'Mass, g']);
    await enter(drawn, 'height, mm', '75');
    await enter(drawn, 'Mass, g', '250');
    expect(drawn.values.value).toEqual({ shape: { ...shape, height_m: 0.075 }, mass_kg: 0.25 });
    await enter(drawn, 'height, mm', '');
    expect(drawn.values.value['shape']).toMatchObject({ height_m: 0.001 });
    expect(drawn.find('[aria-label="height, mm"]')).toMatchObject({ value: '' });
  });
});

describe('the fields of a fault', () => {
  const SHOWING = { units: FAULT_UNITS, hidden: ['kind'], none: 'any' };

  it.each([...FAULT_KINDS])('have what must be chosen: %s', (kind, schema) => {
    const first = { kind, ...firstValues(schema) };
    const named = ['joint', 'fault', 'input', 'effect'].filter((name) =>
      schema.required?.includes(name),
    );
    expect(Object.keys(first)).toEqual(expect.arrayContaining(named));
    const drawn = draw(
      <SchemaFields schema={schema} showing={SHOWING} value={first} set={() => undefined} />,
    );
    expect(labelsOf(drawn)).not.toContain('Kind');
  });

  it('name the unit of the wire', () => {
    const schema = FAULT_KINDS.get('sensor_noise')!;
    const set = () => undefined;
    const drawn = draw(<SchemaFields schema={schema} showing={SHOWING} value={{}} set={set} />);
    expect(labelsOf(drawn)).toContain('Position, rad');
  });

  it('make a valid fault of their first values', () => {
    const first = { kind: 'driver', ...firstValues(FAULT_KINDS.get('driver')!) };
    expect(validate('AddFaultBody', sentValues(first), { dialect: 'documented' }).ok).toBe(true);
  });
});
