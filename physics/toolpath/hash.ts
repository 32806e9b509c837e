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

/** Hash of the content of a toolpath of any format, 64 hexadecimal characters. */
export function hashToolpath(toolpath: object): string {
  assert(isSerialise(serialise), 'canonicalize is a function');
  const text = serialise(toolpath);
  assert(text !== undefined, 'a toolpath is JSON');
  return bytesToHex(sha256(utf8ToBytes(text)));
}
