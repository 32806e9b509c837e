/**
 * `armtwin replay FILE [--mcap OUT] [--html OUT]`: repeats a recording, tick by tick, and makes it
 * into files for looking at. Answers 0 when all of it has the same bits, 1 with the first tick and
 * field that differ, 2 for a file that is none.
 */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { DisturbedArm } from '../../bridge/disturbed-arm.ts';
import { createSimulatedArm } from '../../bridge/simulated-arm.ts';
import { McapExport } from '../recording/mcap.ts';
import { RecordedPage } from '../recording/recorded-page.ts';
import { type ReplayStage, replayTape } from '../recording/replay.ts';
import { readTape, type Tape } from '../recording/tape.ts';
import { startTrouble } from '../start-trouble.ts';
import { maker, writePage } from './exported-page.ts';
import type { VerbOutput } from './plan.ts';

/** The drivers on which a recording can be repeated: the simulated ones. */
function stageOf({ head: { driver } }: Tape): ReplayStage {
  if (driver !== 'fast' && driver !== 'rapier') {
    throw new Error(`A recording of the driver ${driver} cannot be repeated: its arm is real`);
  }
  const arm = createSimulatedArm({ plant: driver });
  return { driver: new DisturbedArm(arm), world: arm.world };
}

/** Runs the verb and answers the exit code of the process. */
export async function replayVerb(
  path: string,
  flags: Readonly<Record<string, unknown>>,
  { out, err }: VerbOutput,
): Promise<number> {
  try {
    const tape = readTape(await readFile(path, 'utf8'));
    const { mcap: target, html } = flags;
    const file = typeof target === 'string' ? createWriteStream(target) : null;
    let mcap: McapExport | null = null;
    let page: RecordedPage | null = null;
    const { ticks, parting } = await replayTape(tape, stageOf(tape), (robot, epoch_ms) => {
      page = new RecordedPage(robot);
      if (!file) return [page];
      mcap = new McapExport({
        robot,
        epoch_ms,
        sink: { write: (bytes) => void file.write(bytes) },
      });
      return [mcap, page];
    });
    await (mcap as McapExport | null)?.end();
    if (file) {
      file.end();
      await once(file, 'close');
    }
    if (typeof html === 'string') {
      const name = basename(path);
      const seen = (page as RecordedPage | null)?.document(
        name,
        maker(),
        tape.inputs.at(-1)?.tick ?? 0,
      );
      if (seen) writePage(seen, html);
    }
    const span = `${ticks} ticks, ${(ticks * TICK_S).toFixed(1)} s`;
    if (!parting) {
      out.write(`equal: every bit of ${span}\n`);
      return 0;
    }
    const { tick, field, recorded, repeated } = parting;
    const [was, is] = [JSON.stringify(recorded), JSON.stringify(repeated)];
    out.write(`different from tick ${tick} on: ${field} was ${was}, is ${is}\n`);
    return 1;
  } catch (error) {
    err.write(`${path}: ${startTrouble(error)}\n`);
    return 2;
  }
}
