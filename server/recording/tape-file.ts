/** A tape on disk, written as it comes: what a recording of hours needs. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type LineSink, Recording, type RecordingParts } from './recording.ts';

interface TapeFile {
  readonly write: LineSink;
  /** Resolves when all is with the system; rejects with what went wrong meanwhile. */
  close(): Promise<void>;
}

/** Opens a file for a tape, in place of one that is there; rejects when that is not possible. */
async function openTapeFile(path: string): Promise<TapeFile> {
  const stream = createWriteStream(path, { encoding: 'utf8', mode: 0o600 });
  let failure: Error | null = null;
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${path} cannot be recorded into: its folder does not exist`);
  });
  stream.on('error', (error) => {
    failure = error;
  });
  return {
    write: (line) => void stream.write(line),
    async close() {
      stream.end();
      if (!failure) await once(stream, 'close');
      if (failure) throw failure;
    },
  };
}

/** Records a twin into a file from now on; answers how to end that and complete the file. */
export async function recordInto(
  path: string,
  parts: RecordingParts,
): Promise<() => Promise<void>> {
  const file = await openTapeFile(path);
  const recording = new Recording(parts, file.write);
  return async () => {
    recording.end();
    await file.close();
  };
}
