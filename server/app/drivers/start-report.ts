/** What a start of the servos did: logged, and kept in the data folder. */
import { join } from 'node:path';
import { JSONFileSync } from 'lowdb/node';
import { lineQualityText } from '../../../bridge/servo/bus/line-quality.ts';
import { holdsText } from '../../../bridge/servo/start/holding-torque.ts';
import type { StartReport } from '../../../bridge/servo/start/start-report.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import type { Config } from '../../cli/config.ts';
import { startupErrorText } from '../../cli/startup-errors.ts';
import { systemClock } from '../../clock/wall-clock.ts';
import type { Log } from '../../service/logging/log.ts';

/** File of the latest start report in the data folder. */
const START_REPORT = 'servo-start.json';

/** Logs what a start of the servos changed, noted and proved, and keeps it as a file. */
export function keepStartReport({ data }: Config, log: Log): (report: StartReport) => void {
  return (report) => {
    for (const { joint, id, written, notes } of report.servos) {
      const servo = `${jointName(joint)} (servo ${id})`;
      for (const { register, before, after } of written) {
        log.info(`${servo}: ${register} was ${before} and is now ${after}`);
      }
      for (const text of notes) log.warn(`${servo} ${text}`);
    }
    for (const text of report.notes) log.warn(text);
    log.info(holdsText(report.joints));
    if (report.line) log.info(lineQualityText(report.line));
    if (data === ':memory:') return;
    const time = new Date(systemClock.epoch_ms()).toISOString();
    try {
      new JSONFileSync<object>(join(data, START_REPORT)).write({ time, ...report });
    } catch (error) {
      log.warn(`${START_REPORT} cannot be written: ${startupErrorText(error)}`);
    }
  };
}
