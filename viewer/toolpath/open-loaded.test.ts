/** What the robot has loaded opens on a page that has nothing open, and on no other. */
import { beforeEach, expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { ArmStore } from '../link/arm-store.ts';
import { mergeChanges } from '../link/merge-changes.ts';
import { SNAPSHOT } from '../link/snapshot.cases.ts';
import { createLoadedOpener } from './open-loaded.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathOrigin } from './toolpath-view.ts';

const HEAD = { id: 4, name: 'Sorting', hash: 'a' };
const LOADED = { hash: 'a', toolpath: { timeline: [] } as object as Toolpath, duration_s: 1 };

let arm: ArmStore;
let origin: ToolpathOrigin | null;
let opened: (ToolpathOrigin | null)[];
let opener: ReturnType<typeof createLoadedOpener>;

beforeEach(() => {
  arm = new ArmStore();
  [origin, opened] = [null, []];
  const store: Pick<ToolpathStore, 'view' | 'open'> = {
    view: () => ({ origin }) as Partial<ReturnType<ToolpathStore['view']>> as never,
    open: (next) => {
      origin = next;
      opened.push(next);
    },
  };
  opener = createLoadedOpener(store as object as ToolpathStore, arm);
});

const know = () =>
  arm.set({ snapshot: SNAPSHOT, loaded: LOADED, isListed: true, toolpaths: [HEAD] });

it('opens it with its id, at once or as soon as it is known', () => {
  opener.setShown(true);
  arm.set({ snapshot: SNAPSHOT });
  expect(opened).toEqual([]);
  know();
  expect(opened).toMatchObject([{ id: 4, name: 'Sorting', base: { hash: 'a' } }]);
  expect(opener.isOwn()).toBe(true);
  origin = { name: 'Another', id: 5 };
  expect(opener.isOwn()).toBe(false);
});

it('opens it without an id where the arm has it no more', () => {
  know();
  arm.set({ toolpaths: [{ ...HEAD, hash: 'b' }] });
  opener.setShown(true);
  expect(opened).toEqual([{ id: null, name: 'Sorting' }]);
});

it('opens nothing where the user has chosen something else meanwhile', () => {
  opener.setShown(true);
  opener.forgo();
  know();
  expect(opened).toEqual([]);
});

it('leaves alone what is open, and a page that is not shown', () => {
  know();
  expect(opened).toEqual([]);
  origin = { name: 'Mine', id: null };
  opener.setShown(true);
  opener.setShown(false);
  origin = null;
  know();
  expect(opened).toEqual([]);
});

it('opens nothing that is loaded later, under the eyes of who looks at the list', () => {
  const none = mergeChanges(SNAPSHOT, { control: { toolpath_hash: '' } });
  opener.setShown(true);
  arm.set({ snapshot: none, isListed: true });
  know();
  expect(opened).toEqual([]);
});
