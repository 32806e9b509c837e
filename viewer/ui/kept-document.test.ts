import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KeptDocument } from './kept-document.ts';

const DEFAULTS = { order: 'added', open: ['Clock'] as readonly string[], seen: false };

/** The local storage of a browser, as far as a document uses it. */
let stored: Map<string, string>;
let isFull: boolean;

beforeEach(() => {
  stored = new Map();
  isFull = false;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new Error('QuotaExceededError');
      stored.set(key, value);
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = () => new KeptDocument('test', DEFAULTS);

it('has its defaults at first and keeps what is changed, for other tabs too', () => {
  const [here, elsewhere] = [open(), open()];
  expect(here.read()).toEqual(DEFAULTS);
  here.update({ order: 'name' });
  elsewhere.update({ seen: true });
  expect(here.read()).toEqual({ ...DEFAULTS, order: 'name', seen: true });
  expect(open().read()).toEqual(here.read());
});

it('lasts until a reload where the browser refuses storage', () => {
  vi.stubGlobal('localStorage', undefined);
  const refused = open();
  refused.update({ order: 'name' });
  expect(refused.read().order).toBe('name');
  expect(open().read()).toEqual(DEFAULTS);
});

it('lasts until a reload where storage is full, also beside an older content', () => {
  const here = open();
  here.update({ order: 'name' });
  isFull = true;
  here.update({ order: 'length' });
  expect(here.read().order).toBe('length');
  expect(open().read().order).toBe('name');
});

it.each(['no json', 'null', '5', '[]', '{"order":3,"open":"Clock","seen":null}'])(
  'starts again with its defaults over %s',
  (text) => {
    stored.set('test', text);
    const damaged = open();
    expect(damaged.read()).toEqual(DEFAULTS);
    damaged.update({ seen: true });
    expect(open().read()).toEqual({ ...DEFAULTS, seen: true });
  },
);

it('keeps the fields that it knows of another version', () => {
  stored.set('test', '{"order":"name","colour":"red"}');
  expect(open().read()).toEqual({ ...DEFAULTS, order: 'name' });
});
