/**
 * The hash that names a toolpath's content: SHA-256 over its canonical JSON (RFC 8785), so that
 * key order and number spelling do not matter, and browsers find the same. Spec §2.1; D15.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { assert } from '../math/assert.ts';

type Serialise = (input: unknown) => string | undefined;

/** The package is CommonJS and is the function itself; its declaration speaks of `default`. */
function isSerialise(value: unknown): value is Serialise {
  return typeof value === 'function';
}

const serialise: unknown = canonicalize;

/** 64 hexadecimal characters that name the content of a toolpath of any format. */
export function hashToolpath(toolpath: object): string {
  assert(isSerialise(serialise), 'canonicalize is a function');
  const text = serialise(toolpath);
  assert(text !== undefined, 'a toolpath is JSON');
  return bytesToHex(sha256(utf8ToBytes(text)));
}
