/**
 * The kept runs of toolpaths: what came of each, its replay at any second beside the plan, what
 * would have come of it with a fault or another toolpath, and its report as one file.
 */

import type { RecordingDocument } from '../../../contract/export-document.ts';
import type { RobotRun } from '../../../contract/types.generated.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { KeptRun, RunOutcome } from '../../link/kept-run.ts';
import { downloadPage } from '../../toolpath/download-page.ts';
import { listRuns, OUTCOMES, runText, unheardFor_s } from '../../toolpath/runs/twin-runs.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import type { Place } from '../../ui/place.ts';
import { decimal } from '../../ui/value-text.ts';
import { type KeptRunsParts, RunReplays } from './run-replays.ts';

const VERDICTS: Readonly<Record<RunOutcome, string>> = {
  finished: 'The run finished.',
  cancelled: 'The run was cancelled.',
  error: 'The run ended in an error.',
  collision: 'The run ended in a collision.',
  disabled: 'The emergency stop ended the run.',
  lost: 'The connection was lost during the run.',
  reset: 'A reset of the twin ended the run.',
  running: 'The run was not over.',
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
  const motion = run.isExact ? 'as the twin computed it' : 'as it reached the browser';
  const facts = [...run.facts, ...results, ['Motion', motion] as const];
  const unheard_s = unheardFor_s(run.recording);
  const gap = `Incomplete: nothing was heard of the arm for ${decimal(unheard_s, 2)} s of this run.`;
  const verdict = unheard_s > 0 ? `${gap} ${VERDICTS[run.outcome]}` : VERDICTS[run.outcome];
  return { ...run.recording, report: { verdict, facts, findings, planned } };
}

/** What the list says of a run. */
type RunHead = Pick<KeptRun, 'name' | 'started_at' | 'outcome'> & { readonly text: string };

function runParts({ name, started_at, outcome, text }: RunHead): HTMLElement[] {
  const time = new Date(started_at).toLocaleTimeString('en-GB');
  return [
    element('span', { class: 'strong' }, name),
    element('time', { datetime: started_at }, time),
    element('span', { class: 'outcome', 'data-outcome': outcome }, OUTCOMES[outcome]),
    element('span', { class: 'sub' }, text),
  ];
}

/** The run as an entry of the list; its report is one click away. */
function runRow(run: KeptRun, replay: () => void, report: () => Promise<void>) {
  const what = `run ${run.id} of ${run.name}`;
  const parts = runParts({ ...run, text: runText(run) });
  const open = button({ class: 'kept-run', 'aria-label': `Replay ${what}` }, replay, ...parts);
  const label = new Text('Report');
  const attributes = { class: 'plain small', 'aria-label': `Report of ${what}` };
  const file = button(attributes, () => void write(), icon('page'), label);
  // The twin takes a moment to simulate the run again; a second click would write a second file.
  async function write(): Promise<void> {
    if (file.hasAttribute('aria-busy')) return;
    setAttribute(file, 'aria-busy', 'true');
    label.data = 'Reading…';
    await report().finally(() => {
      setAttribute(file, 'aria-busy', false);
      label.data = 'Report';
    });
  }
  return { id: run.id, open, element: element('li', {}, open, file) };
}

/** A run that only the twin keeps; a click reads it, which simulates it again. */
function twinRow(run: RobotRun, isRead: boolean, replay: () => void): HTMLElement {
  // The figures of a run are those of its start until the list is read again, at its end.
  const figures = run.outcome === 'running' ? '' : runText({ ...run, deviation_m: null });
  const text = isRead ? 'Reading it from the twin…' : figures;
  const label = `Replay run ${run.id} of the twin, ${run.name}`;
  const attributes = { class: 'kept-run', 'aria-label': label, disabled: !run.replayable };
  const open = button(attributes, replay, ...runParts({ ...run, text }));
  setAttribute(open, 'aria-busy', isRead ? 'true' : undefined);
  return element('li', {}, open);
}

export interface RunsPanel {
  readonly element: HTMLElement;
  /** Opens the run that an address names; null if it names none. */
  openPlace(place: Place): Promise<void> | null;
}

/** The rows of both lists as one, newest first. */
function createRows(parts: {
  readonly arm: ArmStore;
  readonly replay: (run: KeptRun) => void;
  readonly replayTwin: (run: RobotRun) => void;
  /** The run with the motion of the twin, where the twin keeps it. */
  readonly exact: (run: KeptRun) => Promise<KeptRun>;
}) {
  const { arm } = parts;
  const list = element('ul', { class: 'kept-runs' });
  let rows: ReturnType<typeof runRow>[] = [];
  async function report(run: KeptRun): Promise<void> {
    const exact = await parts.exact(run);
    await downloadPage(arm, `${run.name}, run ${run.id}`, reportOf(exact));
  }
  /** The row with the focus, and the name of its button there. */
  function focused(): { readonly label: string | null; readonly place: number } | null {
    const { activeElement } = document;
    const place = [...list.children].findIndex((each) => each.contains(activeElement));
    return place < 0 ? null : { place, label: activeElement!.getAttribute('aria-label') };
  }
  /** Puts the focus back; a run that has been read stands in its place under another name. */
  function focusAgain({ label, place }: NonNullable<ReturnType<typeof focused>>): void {
    const buttons = [...list.querySelectorAll('button')];
    const same = buttons.find((each) => each.getAttribute('aria-label') === label);
    (same ?? list.children[place]?.querySelector('button'))?.focus();
  }
  return {
    element: list,
    /** Shows runs; `reading` is the id of the run that is being read from the twin. */
    show(kept: readonly KeptRun[], twin: readonly RobotRun[], reading: number | null): void {
      const before = focused();
      rows = [];
      const elements = listRuns(kept, twin).map((one) => {
        if ('twin' in one) {
          return twinRow(one.twin, one.twin.id === reading, () => parts.replayTwin(one.twin));
        }
        const run = kept.find(({ id }) => id === one.kept.id) ?? one.kept;
        const replay = () => parts.replay(run);
        const row = runRow(one.kept, replay, () => report(run));
        rows.push(row);
        return row.element;
      });
      list.replaceChildren(...elements);
      if (before) focusAgain(before);
    },
    mark(shown: number | null): void {
      for (const { id, open } of rows) setAttribute(open, 'aria-current', id === shown && 'true');
    },
  };
}

/** Creates the panel; it is hidden while there are no runs. */
export function createRunsPanel(parts: KeptRunsParts): RunsPanel {
  const { store, arm } = parts;
  const end = element('span', { class: 'end' }, 'kept by this browser and the twin');
  const head = element('header', { class: 'section-head' }, element('h2', {}, 'Runs'), end);
  const panel = element('section', { class: 'panel', 'aria-label': 'Runs', hidden: true });
  const replays = new RunReplays(parts, () => show());
  const rows = createRows({
    arm,
    replay: (run) => replays.replay(run),
    replayTwin: (run) => void replays.replayTwin(run),
    exact: (run) => replays.exact(run),
  });
  const legend = element('p', { class: 'sub wrap replay-legend', hidden: true });
  panel.append(head, legend, replays.whatIf.element, rows.element);
  function show(): void {
    const kept = arm.view().runs ?? [];
    setAttribute(panel, 'hidden', kept.length + replays.twin.length === 0);
    rows.show(kept, replays.twin, replays.reading);
    rows.mark(store.view().replay);
  }
  const refresh = () => void replays.refresh().then(show);
  arm.subscribe((view, before) => {
    if (view.runs !== before.runs) show();
    const [now, then] = [view.sim?.status, before.sim?.status];
    const isChanged = view.snapshot?.control.state !== before.snapshot?.control.state;
    // A reset or a restored snapshot, which sets the time back, changes the runs of the twin.
    const isBack = now && then && now.tick < then.tick;
    if (isChanged || now?.state !== then?.state || isBack) refresh();
  });
  store.subscribe((view, before) => {
    if (view.origin !== before.origin) replays.forgetReading();
    if (view.cursor_s !== before.cursor_s) replays.whatIf.showTime(view.cursor_s);
    if (view.beside !== before.beside || view.replay !== before.replay) {
      const grey = view.beside ? `; grey: ${view.beside.name}` : '';
      setText(legend, `In the scene, solid: the arm now; blue: this run${grey}.`);
      setAttribute(legend, 'hidden', view.replay === null);
    }
    if (view.replay === before.replay) return;
    rows.mark(view.replay);
    if (view.replay === null) replays.end();
  });
  show();
  refresh();
  return {
    element: panel,
    openPlace({ params }) {
      const at_s = Number(params['at'] ?? Number.NaN);
      if (Number.isFinite(at_s)) return replays.replayAt(at_s);
      const id = Number(params['run'] ?? Number.NaN);
      if (!Number.isInteger(id)) return null;
      return findRun(arm, id).then((run) => {
        if (run && store.view().replay !== id) replays.replay(run);
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
