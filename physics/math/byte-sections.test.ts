import { describe, expect, it } from 'vitest';
import { ByteLayout, joinNamed, splitNamed } from './byte-sections.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('named byte arrays', () => {
  const names = ['head', 'none', 'body'] as const;
  const parts = { head: bytes(1, 2), none: bytes(), body: bytes(3) };

  it('are joined in the order of their names and split again', () => {
    const joined = joinNamed(names, parts);
    expect(Array.from(joined)).toEqual([2, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0, 0, 0, 3]);
    expect(splitNamed(names, joined)).toEqual(parts);
  });

  it('say which one is missing', () => {
    const short = joinNamed(['head'], { head: bytes(1) });
    expect(() => splitNamed(['head', 'body'], short)).toThrow('ends before “body”');
  });
});

describe('a byte layout', () => {
  const layout = new ByteLayout({ head: 2, body: 1 });

  it('joins its parts and the rest, and splits them', () => {
    const parts = { head: bytes(1, 2), body: bytes(3), rest: bytes(4, 5) };
    const joined = layout.join(parts);
    expect(Array.from(joined)).toEqual([1, 2, 3, 4, 5]);
    expect(layout.split(joined)).toEqual(parts);
  });

  it('refuses a part of another size', () => {
    const parts = { head: bytes(1), body: bytes(3), rest: bytes() };
    expect(() => layout.join(parts)).toThrow('“head” has 1 bytes');
  });
});
