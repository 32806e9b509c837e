/**
 * Reads captures from files of any kind: those of `armtwin record`, MCAP with joint states, and
 * recordings of twins, which are replayed. Errors name the file, the place and the reason. SI
 * units.
 */

import { readFile } from 'node:fs/promises';
import { otherKindProblem, textKind } from '../../contract/document-kind.ts';
import { type ParsedRecording, parseRecording } from '../recording/recording-format.ts';
import type { ReplayTarget } from '../recording/replay.ts';
import { type Capture, CaptureError } from './capture.ts';
import { parseCapture } from './capture-file.ts';
import { readMcap } from './mcap-capture.ts';
import { replayCapture } from './replayed-capture.ts';

/** First bytes of an MCAP file. */
const MCAP_MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50];

/** Reads a capture of any kind; `createTarget` makes the arm that a recording is replayed on. */
export async function readCapture(
  source: string,
  createTarget: (recording: ParsedRecording) => ReplayTarget,
): Promise<Capture> {
  const bytes = await readFile(source);
  if (MCAP_MAGIC.every((byte, i) => bytes[i] === byte)) return readMcap(source, bytes);
  const text = bytes.toString('utf8');
  if (/^\{"kind":"head","armtwin_capture"/.test(text)) return parseCapture(source, text);
  const kind = textKind(text);
  const otherKind = kind === 'recording' ? null : otherKindProblem(kind, 'capture');
  if (otherKind !== null) throw new CaptureError(source, '', otherKind);
  if (!/^\s*\{/.test(text)) {
    const reason = 'is not a capture of armtwin record, a recording of a twin, or an MCAP file';
    throw new CaptureError(source, '', reason);
  }
  try {
    const recording = parseRecording(text);
    return await replayCapture(source, recording, createTarget(recording));
  } catch (error) {
    throw new CaptureError(source, '', error instanceof Error ? error.message : String(error));
  }
}
