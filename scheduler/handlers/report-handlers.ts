/** HTTP handlers of the reports and live events of runs. */

import { isRefusal, refuse } from '../../contract/refusal.ts';
import type { Handlers } from '../../server/service/http/handler.ts';
import { answer } from '../../server/service/http/reply.ts';
import { streamRefusal } from '../../server/shares/stream-share.ts';
import type { RunRecord } from '../archive/run-record.ts';
import { planAnalysis } from '../definition/plan-analysis.ts';
import { RunEventFeed } from '../reports/run-event-feed.ts';
import { csvOf, operationsOfRun } from '../reports/run-report.ts';
import { historyOf } from '../run/live-history.ts';
import type { Runs } from '../run/runs.ts';
import { recordOf } from './run-handlers.ts';

/** A run as it is now. */
function currentOf(runs: Runs, { head, history }: RunRecord): Pick<RunRecord, 'head' | 'history'> {
  const live = runs.liveOf(head.id);
  return { head, history: live ? historyOf(live, history.plan) : history };
}

/** Returns the handlers of reports and live events of runs. */
export function reportHandlers(runs: Runs): Handlers {
  return {
    streamRunEvents(call) {
      const record = recordOf(runs, call);
      if (isRefusal(record)) return record;
      const tooMany = streamRefusal({ owner: record.owner_id }, runs.followers);
      if (tooMany) return tooMany;
      const { recheck, lastEventId } = call;
      const after = call.query['after'] ?? lastEventId ?? 0;
      const feed = new RunEventFeed({ runs, record, after, wall: runs.wall, recheck });
      return { reply: {}, feed };
    },
    getRunPlan(call) {
      const record = recordOf(runs, call);
      if (isRefusal(record)) return record;
      const live = runs.liveOf(record.head.id);
      if (!live) return refuse('wrong_state', 'The run is stopped; see its report');
      const { model, run } = live;
      const { plan } = historyOf(live, record.history.plan);
      return answer({ plan, analysis: planAnalysis(model, run.plan.current) });
    },
    getRunReport(call) {
      const record = recordOf(runs, call);
      if (isRefusal(record)) return record;
      const current = currentOf(runs, record);
      const { violations } = current.history;
      return answer({ run: current.head, operations: operationsOfRun(current), violations });
    },
    getRunReportCsv(call) {
      const record = recordOf(runs, call);
      if (isRefusal(record)) return record;
      const text = csvOf(operationsOfRun(currentOf(runs, record)));
      return { reply: {}, file: { name: `run-${record.head.id}.csv`, text } };
    },
  };
}
