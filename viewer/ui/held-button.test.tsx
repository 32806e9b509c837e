import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { draw } from './drawn.cases.ts';
import { HeldButton } from './held-button.tsx';

/** Later than the next call of a held button. */
const LATER_MS = 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A button, how often it has acted, and the signal of its press. */
function heldButton() {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const acts = vi.fn((_held: AbortSignal) => true);
  const drawn = draw(
    <HeldButton label="More" class="jog" act={acts}>
      +
    </HeldButton>,
  );
  const button = drawn.find('button');
  Object.assign(button, { setPointerCapture: () => undefined, matches: () => false });
  const send = (type: string, fields?: object) => drawn.fire('button', type, fields);
  const press = () => send('pointerdown', { button: 0, pointerId: 1 });
  return { ...drawn, page, button, acts, send, press };
}

describe('a held button', () => {
  it('acts again and again, first after a longer rest', async () => {
    const { acts, press } = heldButton();
    await press();
    await vi.advanceTimersByTimeAsync(340);
    expect(acts).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(acts.mock.calls.length).toBeGreaterThan(2);
  });

  it.each(['pointerup', 'pointercancel', 'lostpointercapture', 'blur'])(
    'is released by %s, and tells what it does',
    async (type) => {
      const { acts, press, send } = heldButton();
      await press();
      await send(type);
      await vi.advanceTimersByTimeAsync(LATER_MS);
      expect(acts).toHaveBeenCalledTimes(1);
      expect(acts.mock.calls[0]![0].aborted).toBe(true);
    },
  );

  it('is released by a release elsewhere, and when window or tab go', async () => {
    const { acts, press, page, event } = heldButton();
    const ends = [
      () => page.dispatchEvent(new Event('pointerup')),
      () => page.dispatchEvent(new Event('blur')),
      () => document.dispatchEvent(event('visibilitychange')),
    ];
    for (const end of ends) {
      acts.mockClear();
      await press();
      end();
      await vi.advanceTimersByTimeAsync(LATER_MS);
      expect(acts).toHaveBeenCalledTimes(1);
      expect(acts.mock.calls[0]![0].aborted).toBe(true);
    }
  });

  it('is released when it is unmounted', async () => {
    const { acts, press, root } = heldButton();
    await press();
    await act(() => render(null, root));
    await vi.advanceTimersByTimeAsync(LATER_MS);
    expect(acts).toHaveBeenCalledTimes(1);
    expect(acts.mock.calls[0]![0].aborted).toBe(true);
  });

  it('ends when it is taken out of the document, or disabled', async () => {
    const { acts, press, button } = heldButton();
    await press();
    Object.assign(button, { matches: () => true });
    await vi.advanceTimersByTimeAsync(LATER_MS);
    expect(acts).toHaveBeenCalledTimes(1);
    Object.assign(button, { matches: () => false });
    await press();
    button.remove();
    await vi.advanceTimersByTimeAsync(LATER_MS);
    expect(acts).toHaveBeenCalledTimes(2);
  });

  it('is pressed once by a key that repeats, and by what holds nothing', async () => {
    const { acts, send } = heldButton();
    await send('keydown', { key: 'Enter', repeat: false });
    await send('keydown', { key: 'Enter', repeat: true });
    expect(acts).toHaveBeenCalledTimes(1);
    await send('keyup', { key: 'Enter' });
    await send('click', { detail: 0 });
    await vi.advanceTimersByTimeAsync(LATER_MS);
    expect(acts).toHaveBeenCalledTimes(2);
    expect(acts.mock.calls[1]![0].aborted).toBe(true);
  });
});
