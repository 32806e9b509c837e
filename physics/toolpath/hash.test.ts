import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, hashToolpath } from './hash.ts';

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

describe('the hash of a toolpath', () => {
  it('is SHA-256 over keys in order and no white space', () => {
    const toolpath = { waypoints: [{ joints: [0, -0.5], label: 'é' }], metadata: { version: 2 } };
    const canonical = '{"metadata":{"version":2},"waypoints":[{"joints":[0,-0.5],"label":"é"}]}';
    expect(hashToolpath(toolpath)).toBe(sha256(canonical));
  });
  it('does not see key order, number spelling or absent fields', () => {
    const first = JSON.parse('{"a":1.0,"b":[1e-7,100],"c":-0}');
    const second = { c: 0, d: undefined, b: [0.0000001, 1e2], a: 1 };
    expect(hashToolpath(first)).toBe(hashToolpath(second));
  });
  it('sees the order of arrays and every value', () => {
    expect(hashToolpath({ a: [1, 2] })).not.toBe(hashToolpath({ a: [2, 1] }));
    expect(hashToolpath({ a: 1 })).not.toBe(hashToolpath({ a: '1' }));
  });
  it('spells numbers and sorts keys as RFC 8785 shows in its example', () => {
    const example = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    const canonical =
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';
    expect(hashToolpath(example)).toBe(sha256(canonical));
  });
  it('has the canonical JSON of the reference package, numeric keys included', () => {
    const serialise: unknown = canonicalize;
    const reference = (value: object) => (serialise as (input: object) => string)(value);
    const values = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(value)).toBe(reference(value));
      }),
      { numRuns: 2000 },
    );
    const numeric = { b: 1, 10: 1, 9: { 2: 0, 11: 0 }, a: 1 };
    expect(canonicalJson(numeric)).toBe(reference(numeric));
  });
});
