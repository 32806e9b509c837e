import { expect, test } from 'vitest';
import { plateNames } from './deck-map.ts';

test('labels plates with the distinguishing part of their ids', () => {
  const names = (...ids: string[]) => [...plateNames(ids).values()];
  expect(names('plate_1', 'plate_2')).toEqual(['1', '2']);
  expect(names('plate')).toEqual(['…ate']);
  expect(names('a', 'ab')).toEqual(['a', 'b']);
  expect(names('x_first', 'x_second')).toEqual(['…rst', '…ond']);
});
