/**
 * A twin with a stepped clock whose scheduler is watched at every tick: a test fails in which the arm was
 * idle beside a carry that was possible. Test code.
 */
import { afterEach, beforeEach, expect } from 'vitest';
import {
  sharedTwinClient,
  type TwinAndClient,
} from '../../server/service/simulation/twin-client.cases.ts';
import { clearRuns } from './assay.cases.ts';
import { TickMonitor } from './tick-monitor.cases.ts';

export interface WatchedStage extends TwinAndClient {
  /** Twin time at the beginning of the test (s). */
  readonly began_s: number;
}

/** The stage of the tests of this file: read it inside tests. Runs end with the test. */
export function watchedStage(): WatchedStage {
  const stage = sharedTwinClient({ webhooks: 'off' });
  let monitor: TickMonitor;
  let began_s = 0;
  beforeEach(() => {
    monitor = new TickMonitor();
    began_s = stage.twin.now_s();
  });
  afterEach(async () => {
    monitor.close();
    await clearRuns(stage.arm);
    expect(monitor.faults).toEqual([]);
  });
  return {
    get twin() {
      return stage.twin;
    },
    get arm() {
      return stage.arm;
    },
    get began_s() {
      return began_s;
    },
  };
}
