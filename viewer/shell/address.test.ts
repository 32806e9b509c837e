import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

it.each([
  ['', null],
  ['#', null],
  ['#token=abc', null],
  ['#../etc', null],
  ['#paths/99999999999999999', null],
  ['#live', { page: 'live', id: null, params: {} }],
  [
    '#paths/12?step=/timeline/3&t=4.20',
    { page: 'paths', id: 12, params: { step: '/timeline/3', t: '4.20' } },
  ],
  ['#workflow/3?run=7', { page: 'workflow', id: 3, params: { run: '7' } }],
])('reads %s', (fragment, expected) => {
  expect(parseAddress(fragment)).toEqual(expected);
});

it('has no fragment for the Live page', () => {
  expect(formatAddress({ page: 'live', id: null, params: {} })).toBe('');
});

it('reads every address that it writes, whatever the parameters hold', () => {
  const address = fc.record({
    page: fc.constantFrom('paths', 'teach', 'workflow', 'live'),
    id: fc.option(fc.nat(), { nil: null }),
    params: fc.dictionary(fc.string({ minLength: 1 }), fc.string()),
  });
  fc.assert(
    fc.property(address, (given) => {
      const text = formatAddress(given);
      const read = text === '' ? { page: 'live', id: null, params: {} } : parseAddress(text);
      expect(read).toEqual({ ...given, params: { ...given.params } });
    }),
  );
});
