import { encodeLine } from './journal-line.ts';
import { JOURNAL_FORMAT, type SegmentStart } from './segment.ts';
import type { JournalSegment } from './segment-check.ts';

/** A segment without its damage: valid lines, and a note in place of each lost transaction. */
export function repairedBytes(segment: JournalSegment, opening: SegmentStart): Buffer {
  const { number, lines, damages, bytes } = segment;
  const { epoch, previous, n: after } = opening;
  const first = { format: JOURNAL_FORMAT, number, epoch, after, previous };
  const parts = [
    encodeLine({ n: opening.n, d: opening.n, i: opening.i, segment: first }, []).bytes,
  ];
  const lost = damages.flatMap((damage) => damage.lost);
  let i = opening.i;
  const noteLost = (before: number) => {
    while (lost.length > 0 && lost[0]! < before) {
      const n = lost.shift()!;
      parts.push(encodeLine({ n, d: n, i, lost: true }, []).bytes);
    }
  };
  for (const line of lines) {
    noteLost(line.head.n);
    ({ i } = line.head);
    parts.push(bytes.subarray(line.offset, line.offset + line.length_bytes));
  }
  ({ i } = segment.last);
  noteLost(Number.POSITIVE_INFINITY);
  return Buffer.concat(parts);
}
