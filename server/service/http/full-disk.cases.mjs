/**
 * Preload: a disk that is full from one SIGUSR2 to the next. Writes put down a part and fail; with
 * DISK_FAULT=sync syncs fail instead. Test code of service-process.cases.ts.
 */
import { open } from 'node:fs/promises';

const handle = await open('/dev/null', 'w');
const prototype = Object.getPrototypeOf(handle);
await handle.close();
const { write, datasync } = prototype;
const isSync = process.env['DISK_FAULT'] === 'sync';
let isFull = false;
process.on('SIGUSR2', () => {
  isFull = !isFull;
});

/** @param {string} code */
const failure = (code) => Object.assign(new Error(`${code}: injected`), { code });

/** @param {[Uint8Array, number, number, number]} given bytes, offset, length, position */
prototype.write = async function (...given) {
  if (!isFull || isSync) return write.apply(this, given);
  const [bytes, offset, length, position] = given;
  await write.call(this, bytes, offset, Math.floor(length / 2), position);
  return Promise.reject(failure('ENOSPC'));
};

prototype.datasync = async function () {
  if (isFull && isSync) return Promise.reject(failure('EIO'));
  return datasync.call(this);
};
