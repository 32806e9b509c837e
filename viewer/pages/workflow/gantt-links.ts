/** The lines between the tasks of the chart. Pure. */
import type { RunDetails, RunLimit } from '../../../contract/types.generated.ts';
import { object } from './lenient-object.ts';

/** A line between two bars: what waits for what, and limits of time. */
export interface GanttLink {
  readonly kind: 'dependency' | 'limit';
  readonly from: string;
  readonly to: string;
  /** Whether the line begins and ends at the end of its bar. */
  readonly fromEnd: boolean;
  readonly toEnd: boolean;
  /** State of a limit in the run; empty for others. */
  readonly state: RunLimit['state'] | 'late' | '';
  readonly text: string;
}

function limitText({ constraint_id, max_s, slack_s, state }: RunLimit): string {
  if (state === 'broken') return `${constraint_id}: broken`;
  const most = max_s === null ? '' : `at most ${Math.round(max_s)} s`;
  return slack_s === null ? most : `${most}, slack ${Math.round(slack_s)} s`;
}

/** The dependencies and limits of a definition, which may be wrong elsewhere. */
export function ganttLinks(definition: unknown, run: RunDetails | null): GanttLink[] {
  const workflow = object(object(definition)['workflow']);
  const states = new Map(run?.limits.map((one) => [one.constraint_id, one]));
  const links: GanttLink[] = [];
  const rest = { fromEnd: true, toEnd: false, state: '', text: '' } as const;
  for (const [id, value] of Object.entries(object(workflow['tasks']))) {
    const task = object(value);
    const sources = Object.values(object(task['labware_sources'])).map(
      (source) => object(source)['source_task'],
    );
    const listed = Array.isArray(task['dependencies']) ? task['dependencies'] : [];
    for (const from of new Set([...sources, ...listed])) {
      if (typeof from !== 'string') continue;
      links.push({ kind: 'dependency', from: `task/${from}`, to: `task/${id}`, ...rest });
    }
  }
  const limits = workflow['time_constraints'];
  for (const one of Array.isArray(limits) ? limits.map(object) : []) {
    const [fromSide, toSide] = String(one['type']).split('_to_');
    const limit = states.get(String(one['id']));
    const isLate = limit !== undefined && limit.state !== 'void' && (limit.slack_s ?? 0) < 0;
    const most = one['max_duration'];
    links.push({
      kind: 'limit',
      from: `task/${String(one['start_task_id'])}`,
      to: `task/${String(one['end_task_id'])}`,
      fromEnd: fromSide === 'end',
      toEnd: toSide === 'end',
      state: isLate && limit.state !== 'broken' ? 'late' : (limit?.state ?? ''),
      text: limit ? limitText(limit) : typeof most === 'number' ? `at most ${most} s` : '',
    });
  }
  return links;
}
