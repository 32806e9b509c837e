import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { EMPTY_SIM } from '../link/snapshot.cases.ts';
import { LibraryListing, type ListedArm } from './library-listing.ts';

const SAVED = new Map([[1, '2020-01-01T00:00:00.000Z']]);

/** A list of two toolpaths of an arm whose times of saves this user may read, or not. */
function listingOf(modified: ReadonlyMap<number, string> | null) {
  const arm = signal<ListedArm>({
    toolpaths: [
      { id: 1, name: 'Sorter', hash: 'a' },
      { id: 2, name: 'Rinse', hash: 'b' },
    ],
    sim: modified && { ...EMPTY_SIM, modified },
    driver: 'rapier',
  });
  const listing = new LibraryListing(arm, () => Promise.resolve(null));
  return { arm, listing, ids: () => listing.found.value.map(({ id }) => id) };
}

it('follows the toolpaths of the arm and the search', () => {
  const { arm, listing, ids } = listingOf(null);
  expect(ids()).toEqual([1, 2]);
  listing.query.value = 'rin';
  expect(ids()).toEqual([2]);
  arm.value = { ...arm.value, toolpaths: [{ id: 3, name: 'Rinse twice', hash: 'c' }] };
  expect(ids()).toEqual([3]);
});

it('has the order that was chosen in any list, where the arm has it', () => {
  const [known, unknown] = [listingOf(SAVED), listingOf(null)];
  known.listing.chooseOrder('modified');
  expect([known.listing.order.value, unknown.listing.order.value]).toEqual(['modified', 'added']);
  expect(known.listing.about({ id: 2, name: '', hash: 'b' })).toEqual(['not known']);
  known.listing.chooseOrder('newest');
  expect(unknown.ids()).toEqual([2, 1]);
});
