/**
 * The protections of the store, each with the test that fails without it. Most are defects that the
 * store once had, put back.
 */

/** @type {readonly import('./rows.mjs').Protection[]} */
export const STORE_PROTECTIONS = [
  {
    name: 'a sync before the acknowledgement',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'await file.sync();\n    if (isNew)',
    put: 'if (isNew)',
  },
  {
    name: 'a sync of the folder before the acknowledgement',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'if (isNew) await this.options.disk.syncFolder(this.options.folder);',
    put: '',
  },
  {
    name: 'numbers that are not given again after a failed write',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/store.ts',
    find: '    this.put(this.counters, sequence, { row: last });',
    put: '    if (last % 5 > 0) this.put(this.counters, sequence, { row: last });',
  },
  {
    name: 'changes that are visible only after they are durable',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/store.ts',
    find: '      const lines = await (this.journal?.commit(transactions)',
    put: '      const lines = await (this.journal?.commit(transactions).catch(() => [])',
  },
  {
    name: 'rewriting of the last changes of a writer that may remove them',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'for (const line of await journal.adopt(loaded.tail)) found(line);',
    put:
      'for (const line of loaded.tail) found({ ...line, segment: journal.last_segment });\n' +
      '    journal.position = loaded.tail.at(-1)?.head ?? journal.position;',
  },
  {
    name: 'the order of segments by their writers',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal-chain.ts',
    find: 'return found.sort((a, b) => a.epoch - b.epoch);',
    put: 'return found;',
  },
  {
    name: 'a failed write that is not removed after the lock is lost',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'const isOwn = await this.options.lock?.isHeld().catch(() => false);',
    put: 'const isOwn = true;',
  },
  {
    name: 'a second look at the lock after a failed write is removed',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'return isExcluded && (await this.options.lock!.isHeld());',
    put: 'return isExcluded;',
  },
  {
    name: 'an order of segments without those that may still be removed',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal-load.ts',
    find: 'if (part.lines.length > 0) lastWritten = number;',
    put: 'if (part.lines.length > 0 || segment.isPresent) lastWritten = number;',
  },
  {
    name: 'an uncertain answer when a write could not be removed',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'throw saveError(path, error, !(await this.abandonSegment()));',
    put: 'await this.abandonSegment();\n      throw saveError(path, error);',
  },
  {
    name: 'an end of each segment that its successor states',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal-scan.ts',
    find: 'if (end !== null ? n > end.n : isAfterGap || !isBegun) break;',
    put: 'if (isAfterGap || !isBegun) break;',
  },
  {
    name: 'segments that one of two writers creates',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'await disk.create(segmentPath(folder, this.last_segment));',
    put: 'await disk.open(segmentPath(folder, this.last_segment));',
  },
  {
    name: 'a record of the oldest segment before it is removed',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/compaction.ts',
    find: 'await store.change((draft) => draft.setLastNumber(FIRST_SEGMENT, first));',
    put: '',
  },
  {
    name: 'repair of damaged segments',
    check: 'server/store/damage.test.ts',
    path: 'server/store/journal-load.ts',
    find: '  for (const segment of damagedSegments) await segment.repair?.();',
    put: '',
  },
  {
    name: 'the durable end in a file of its own',
    check: 'server/store/damage.test.ts',
    path: 'server/store/journal.ts',
    find: '    await this.writeHead(isNew);\n    return stored;',
    put: '    return stored;',
  },
  {
    name: 'the start of each segment in a file of its own',
    check: 'server/store/damage.test.ts',
    path: 'server/store/journal-chain.ts',
    find: 'const start = opening ?? starts.get(number) ?? null;',
    put: 'const start = opening;',
  },
  {
    name: 'refusal when users are lost',
    check: 'server/store/damage.test.ts',
    path: 'server/store/journal-load.ts',
    find: 'if (problem !== null && !options.acceptsLoss) throw',
    put: 'if (problem === 1 && !options.acceptsLoss) throw',
  },
  {
    name: 'checksums against damage',
    check: 'server/store/damage.test.ts',
    path: 'server/store/documents.ts',
    find: 'if (stored !== crcOf(content)',
    put: 'if (false && stored !== crcOf(content)',
  },
  {
    name: 'acknowledgement only after saving',
    check: 'server/toolpaths/kill-writer.test.ts',
    path: 'server/store/store.ts',
    find: 'await this.commit(changed',
    put: 'void this.commit(changed',
  },
  {
    name: 'exclusion of a failed write from the journal',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: '.truncate(size)',
    put: '.sync()',
  },
  {
    name: 'a check of the lock before the acknowledgement',
    check: 'server/store/power-loss.test.ts',
    path: 'server/store/journal.ts',
    find: 'if (!(await lock.isHeld())) throw lossError(',
    put: 'if (!lock) throw lossError(',
  },
  {
    name: 'checksums of transactions',
    check: 'server/store/store.test.ts',
    path: 'server/store/documents.ts',
    find: 'if (stored !== crcOf(content)',
    put: 'if (false && stored !== crcOf(content)',
  },
];
