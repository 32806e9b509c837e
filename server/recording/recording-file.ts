/** A recording to a file, line by line, for long recordings. */

import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockFile } from './file-lock.ts';
import { type LineSink, Recording, type RecordingParts } from './recording.ts';

/** Text that may wait for the disk of a recording (bytes). */
const WAITING_BYTES = 64 * 1024 * 1024;

/** A recording file that is written line by line, for long recordings. */
interface RecordingFile {
  readonly write: LineSink;
  /** Resolves when all lines are written; rejects with the first write error. */
  close(): Promise<void>;
}

/** Opens a recording file and overwrites an existing one; rejects when it cannot be opened. */
async function openRecordingFile(
  path: string,
  onFailure: (reason: string) => void,
): Promise<RecordingFile> {
  const stream = createWriteStream(path, { encoding: 'utf8', mode: 0o600 });
  let failure: Error | null = null;
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    const reason = existsSync(dirname(path)) ? 'takes no new files' : 'does not exist';
    throw new Error(`${path} cannot be recorded into: its folder ${reason}`);
  });
  const fail = (reason: string) => {
    if (failure) return;
    failure = new Error(`${path} cannot be recorded into: ${reason}`);
    onFailure(`The recording ${path} breaks off: ${reason}`);
  };
  stream.on('error', ({ message }) => fail(message));
  return {
    write(line) {
      if (stream.writableLength > WAITING_BYTES) fail('its disk does not answer');
      if (!failure) stream.write(line);
    },
    async close() {
      if (failure) stream.destroy();
      else {
        stream.end();
        await once(stream, 'close').catch(() => {});
      }
      if (failure) throw failure;
    },
  };
}

/**
 * Starts recording to a file; returns the function that stops and completes it. `onFailure` hears
 * once why the file is written no more.
 */
export async function recordToFile(
  path: string,
  parts: RecordingParts,
  onFailure: (reason: string) => void = () => {},
): Promise<() => Promise<void>> {
  const unlock = await lockFile(path, '--record');
  const file = await openRecordingFile(path, onFailure).catch(async (error: unknown) => {
    await unlock();
    throw error;
  });
  const recording = new Recording(parts, file.write);
  return async () => {
    recording.stop();
    await file.close().finally(unlock);
  };
}
