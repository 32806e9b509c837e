import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { ArmStore } from '../link/arm-store.ts';
import { draw } from '../ui/drawn.cases.ts';
import { Notices } from './notices.tsx';
import type { Shown } from './shown.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The notices of a service that answers /readyz with `health`. */
function drawNotices(health: object) {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => ({ json: async () => health }));
  const store = new ArmStore();
  const shown = signal<Shown>({ view: store.view(), now_ms: 0, age_ms: 0 });
  const reconnect = vi.fn();
  const pictured = Promise.resolve();
  const drawn = draw(<Notices {...{ store, shown, reconnect, pictured }} />);
  const texts = () =>
    [...drawn.root.children]
      .filter((notice) => !notice.hasAttribute('hidden'))
      .map((notice) => notice.querySelector('p')!.textContent);
  const show = (change: Partial<Shown['view']>, age_ms = 0) =>
    act(() => {
      store.set(change);
      shown.value = { view: store.view(), now_ms: 0, age_ms };
    });
  return { ...drawn, store, reconnect, texts, show };
}

it('shows nothing while there is nothing to say', () => {
  expect(drawNotices({}).texts()).toEqual([]);
});

it('counts the age of a stale view, and offers to connect again', async () => {
  const { texts, show, fire, reconnect } = drawNotices({});
  await show({ link: 'stale' }, 5000);
  expect(texts()).toEqual([
    'No data for 5.0 s. This is the last known pose; the arm may have moved.',
  ]);
  await fire('.notice-warn .plain', 'click');
  expect(reconnect).toHaveBeenCalledOnce();
});

it('shows a refusal until it is dismissed', async () => {
  const { texts, show, fire, store } = drawNotices({});
  await show({ notice: { text: 'The arm moves.', code: 'error 8' } });
  expect(texts()).toEqual(['The arm moves.']);
  await fire('[aria-label="Dismiss"]', 'click');
  expect(store.view().notice).toBeNull();
});

it('says why nothing can be saved', async () => {
  const { texts } = drawNotices({ error: { details: { read_only: 'the disk is full' } } });
  await act(async () => {
    await vi.advanceTimersByTimeAsync(1);
  });
  expect(texts()).toEqual(['Nothing can be saved: the disk is full. Motion and reads work.']);
});
