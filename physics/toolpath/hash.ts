/**
 * Content hash of a toolpath: SHA-256 over its canonical JSON (RFC 8785), so key order and number
 * spelling do not matter and browsers compute the same. §2.1; D15.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { assert } from '../math/assert.ts';

type Serialise = (input: unknown) => string | undefined;

/** The package is CommonJS and exports the function itself; its type declaration has `default`. */
function isSerialise(value: unknown): value is Serialise {
  return typeof value === 'function';
}

const serialise: unknown = canonicalize;

/** Keys that JavaScript objects put first, in numeric order. */
const INDEX = /^\d+$/;

/** A copy with sorted keys. Throws RangeError if JavaScript would not keep their order. */
function sortedCopy(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sortedCopy);
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(value).sort()) {
    if (INDEX.test(key) || key === '__proto__') throw new RangeError(key);
    copy[key] = sortedCopy((value as { readonly [key: string]: unknown })[key]);
  }
  return copy;
}

/**
 * Canonical JSON (RFC 8785). JavaScript writes numbers and text as the RFC does, so sorted keys are
 * all that is missing: ten times as fast as `canonicalize`, which serves the keys whose order
 * JavaScript does not keep.
 */
export function canonicalJson(value: object): string | undefined {
  try {
    return JSON.stringify(sortedCopy(value));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    assert(isSerialise(serialise), 'canonicalize is a function');
    return serialise(value);
  }
}

/** Hash of the content of a toolpath of any format, 64 hexadecimal characters. */
export function hashToolpath(toolpath: object): string {
  const text = canonicalJson(toolpath);
  assert(text !== undefined, 'a toolpath is JSON');
  return bytesToHex(sha256(utf8ToBytes(text)));
}
