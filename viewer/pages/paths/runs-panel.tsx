/**
 * The runs of toolpaths: what came of each, its replay at any second beside the plan, what would
 * have come of it with a fault or another toolpath, and its report as one file.
 */
import { useComputed, useSignal } from '@preact/signals';
import { downloadPage } from '../../toolpath/download-page.ts';
import { isRead, type ListedRun } from '../../toolpath/runs/twin-record.ts';
import { OUTCOMES, runText } from '../../toolpath/runs/twin-runs.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { PathsPanelProps } from './paths-context.ts';
import { RunFindings } from './run-findings.tsx';
import { type RunReplays, titleOf } from './run-replays.ts';
import { reportOf } from './run-report.ts';
import { WhatIf } from './what-if.tsx';

interface RunsPanelProps extends PathsPanelProps {
  readonly replays: RunReplays;
}

interface RunRowProps extends RunsPanelProps {
  readonly of: ListedRun;
}

/** Downloads the report of a run. */
function ReportButton({ of, context: { arm }, replays }: RunRowProps) {
  const isWriting = useSignal(false);
  // The twin takes a moment to simulate the run again; a second click would write a second file.
  async function write(): Promise<void> {
    if (isWriting.value) return;
    isWriting.value = true;
    try {
      const run = await replays.read(of);
      const name = of.id < 0 ? of.name : `${of.name}, run ${of.id}`;
      if (run) await downloadPage(arm, name, reportOf(run));
    } finally {
      isWriting.value = false;
    }
  }
  return (
    <Button
      class="plain small"
      aria-label={`Report of ${titleOf(of)}`}
      aria-busy={isWriting.value ? 'true' : undefined}
      onClick={write}
    >
      <Icon name="page" />
      {isWriting.value ? 'Reading…' : 'Report'}
    </Button>
  );
}

/** What the list says of a run; one that is not over has the figures of its start. */
function wordsOf(run: ListedRun, isReading: boolean): string {
  if (isReading) return 'Reading it from the twin…';
  return run.outcome === 'running' ? '' : runText(run);
}

/** A run as an entry of the list; a click reads it, for which the twin simulates it again. */
function RunRow({ of, ...props }: RunRowProps) {
  const { context, replays } = props;
  const { id, name, started_at, outcome } = of;
  const isReading = useComputed(() => replays.reading.value?.id === id).value;
  const isShown = useComputed(() => context.store.shown.replay.value === id).value;
  const canBeRead = isRead(of) || of.replayable;
  return (
    <li>
      <Button
        class="kept-run"
        aria-label={`Replay ${titleOf(of)}`}
        aria-busy={isReading ? 'true' : undefined}
        aria-current={isShown ? 'true' : undefined}
        disabled={!canBeRead}
        onClick={() => replays.replay(of)}
      >
        <span class="strong">{name}</span>
        <time dateTime={started_at}>{new Date(started_at).toLocaleTimeString('en-GB')}</time>
        <span class="outcome" data-outcome={outcome}>
          {OUTCOMES[outcome]}
        </span>
        <span class="sub">{wordsOf(of, isReading)}</span>
      </Button>
      {canBeRead && <ReportButton of={of} {...props} />}
    </li>
  );
}

/** The runs as one list; it is hidden while there are none. */
export function RunsPanel({ context, replays }: RunsPanelProps) {
  const { store } = context;
  const runs = replays.listed.value;
  const replay = store.shown.replay.value;
  const beside = store.shown.beside.value;
  const grey = beside ? `; grey: ${beside.name}` : '';
  const keeper = replays.isKeptByArm.value ? 'the twin' : 'this browser';
  return (
    <Panel
      name="Runs"
      end={<span class="end">{`kept by ${keeper}`}</span>}
      hidden={runs.length === 0}
    >
      <p class="sub replay-legend" hidden={replay === null}>
        {`In the scene, solid: the arm now; blue: this run${grey}.`}
      </p>
      <RunFindings findings={replays.drawn.value?.findings ?? []} />
      <WhatIf context={context} replays={replays} />
      <ul class="kept-runs">
        {runs.map((one) => (
          <RunRow key={one.id} of={one} context={context} replays={replays} />
        ))}
      </ul>
    </Panel>
  );
}
