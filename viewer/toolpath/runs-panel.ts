/**
 * The kept runs of toolpaths: what came of each, its replay at any second beside the plan, and its
 * report as one file.
 */

import type { RecordingDocument } from '../../contract/export-document.ts';
import { decodeRecording } from '../export/recording.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { Place } from '../pages/page.ts';
import { button, element, icon, setAttribute, setText } from '../panels/element.ts';
import { decimal } from '../panels/value-text.ts';
import type { KeptRun, RunOutcome } from './run-log.ts';
import type { TimedPath } from './timed-path.ts';
import { downloadPage } from './toolpath-library.ts';
import { ToolpathStore } from './toolpath-store.ts';

const OUTCOMES: Readonly<Record<RunOutcome, string>> = {
  finished: 'Finished',
  cancelled: 'Cancelled',
  error: 'Error',
  collision: 'Collision',
  disabled: 'Emergency stop',
  lost: 'Connection lost',
};

/** What came of a run in a few words. */
export function runText(run: Omit<KeptRun, 'recording'>): string {
  const { duration_s, deviation_m, contacts, signals } = run;
  const deviation = deviation_m === null ? [] : [`${decimal(deviation_m * 1000, 2)} mm off`];
  const counted = (count: number, noun: string) =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
  const counts = [...counted(contacts, 'contact'), ...counted(signals, 'signal')];
  return [`${decimal(duration_s, 1)} s`, ...deviation, ...counts].join(' · ');
}

const VERDICTS: Readonly<Record<RunOutcome, string>> = {
  finished: 'The run finished.',
  cancelled: 'The run was cancelled.',
  error: 'The run ended in an error.',
  collision: 'The run ended in a collision.',
  disabled: 'The emergency stop ended the run.',
  lost: 'The connection was lost during the run.',
};

/** The recording of a run with its report. */
export function reportOf(run: KeptRun): RecordingDocument {
  const { duration_s, deviation_m, contacts, signals, findings, planned } = run;
  const deviation = deviation_m === null ? 'unknown' : `${decimal(deviation_m * 1000, 2)} mm`;
  const results = [
    ['Duration', `${decimal(duration_s, 2)} s`],
    ['Largest deviation from the plan', deviation],
    ['Contacts', `${contacts}`],
    ['Changes of signals', `${signals}`],
  ] as const;
  const facts = [...run.facts, ...results];
  return { ...run.recording, report: { verdict: VERDICTS[run.outcome], facts, findings, planned } };
}

/** The run as an entry of the list; its report is one click away. */
function runRow(run: KeptRun, replay: () => void, report: () => void) {
  const time = new Date(run.started_at).toLocaleTimeString('en-GB');
  const what = `run ${run.id} of ${run.name}`;
  const open = button(
    { class: 'kept-run', 'aria-label': `Replay ${what}` },
    replay,
    element('span', { class: 'strong' }, run.name),
    element('time', { datetime: run.started_at }, time),
    element('span', { class: 'outcome', 'data-outcome': run.outcome }, OUTCOMES[run.outcome]),
    element('span', { class: 'sub' }, runText(run)),
  );
  const file = button(
    { class: 'plain small', 'aria-label': `Report of ${what}` },
    report,
    icon('page'),
    'Report',
  );
  return { id: run.id, open, element: element('li', {}, open, file) };
}

export interface KeptRunsParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  /** Draws the plan beside the replay; null removes it. */
  readonly draw: (path: TimedPath | null) => void;
}

export interface RunsPanel {
  readonly element: HTMLElement;
  /** Opens the run that an address names; null if it names none. */
  openPlace(place: Place): Promise<void> | null;
}

/** Draws the plan of a replayed run. */
function createPlanDrawing(draw: KeptRunsParts['draw']) {
  /** Created with the first replay, because it has its own worker. */
  let plan: ToolpathStore | null = null;
  return (text: string | null): void => {
    if (!plan && text !== null) {
      plan = new ToolpathStore();
      plan.subscribe((view, before) => {
        if (view.path !== before.path) draw(view.path);
      });
    }
    if (text === null) plan?.close();
    else plan?.open({ name: 'plan', id: null }, text);
  };
}

/** Creates the panel; it is hidden while there are no runs. */
export function createRunsPanel({ store, arm, draw }: KeptRunsParts): RunsPanel {
  const list = element('ul', { class: 'kept-runs' });
  const end = element('span', { class: 'end' });
  const head = element('header', { class: 'section-head' }, element('h2', {}, 'Runs'), end);
  const panel = element('section', { class: 'panel', 'aria-label': 'Runs', hidden: true });
  panel.append(head, list);
  const drawPlan = createPlanDrawing(draw);
  let rows: readonly ReturnType<typeof runRow>[] = [];
  function replay({ id, name, recording, planned }: KeptRun): void {
    const origin = { name: `Run ${id} of ${name}`, id: null };
    store.showRecorded(origin, decodeRecording(recording), id);
    drawPlan(planned);
  }
  function show(): void {
    const runs = arm.view().runs ?? [];
    rows = runs.map((run) =>
      runRow(
        run,
        () => replay(run),
        () => {
          void downloadPage(arm, `${run.name}, run ${run.id}`, reportOf(run));
        },
      ),
    );
    setAttribute(panel, 'hidden', runs.length === 0);
    setText(end, 'this browser');
    list.replaceChildren(...rows.map((row) => row.element));
    mark();
  }
  function mark(): void {
    const { replay: shown } = store.view();
    for (const { id, open } of rows) setAttribute(open, 'aria-current', id === shown && 'true');
  }
  arm.subscribe((view, before) => {
    if (view.runs !== before.runs) show();
  });
  store.subscribe((view, before) => {
    if (view.replay === before.replay) return;
    mark();
    if (view.replay === null) drawPlan(null);
  });
  show();
  return {
    element: panel,
    openPlace({ params }) {
      const id = Number(params['run'] ?? Number.NaN);
      if (!Number.isInteger(id)) return null;
      return findRun(arm, id).then((run) => {
        if (run && store.view().replay !== id) replay(run);
        const time_s = Number(params['t'] ?? 0);
        if (run && Number.isFinite(time_s)) store.seek(time_s);
      });
    },
  };
}

/** A kept run, once the runs are read; null, with a notice, if it is gone. */
async function findRun(arm: ArmStore, id: number): Promise<KeptRun | null> {
  const runs = await new Promise<readonly KeptRun[]>((resolve) => {
    const check = (): void => {
      const { runs } = arm.view();
      if (runs !== null) resolve(runs);
    };
    arm.subscribe(check);
    check();
  });
  const run = runs.find((each) => each.id === id) ?? null;
  const text = `This browser does not keep run ${id} of this link. Choose another run.`;
  if (!run) arm.set({ notice: { text, code: '' } });
  return run;
}
