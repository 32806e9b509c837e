/**
 * The kept runs of toolpaths: what came of each, its replay at any second beside the plan, what
 * would have come of it with a fault or another toolpath, and its report as one file.
 */
import { useComputed, useSignal } from '@preact/signals';
import type { RobotRun } from '../../../contract/types.generated.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { downloadPage } from '../../toolpath/download-page.ts';
import {
  isSameRun,
  type ListedRun,
  listRuns,
  OUTCOMES,
  runText,
} from '../../toolpath/runs/twin-runs.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { PathsPanelProps } from './paths-context.ts';
import { RunFindings } from './run-findings.tsx';
import type { RunReplays } from './run-replays.ts';
import { reportOf } from './run-report.ts';
import { WhatIf } from './what-if.tsx';

interface RunsPanelProps extends PathsPanelProps {
  readonly replays: RunReplays;
}

const NONE: readonly KeptRun[] = [];

/** What the list says of a run. */
type RunWordsProps = Pick<KeptRun, 'name' | 'started_at' | 'outcome'> & { readonly text: string };

function RunWords({ name, started_at, outcome, text }: RunWordsProps) {
  return (
    <>
      <span class="strong">{name}</span>
      <time dateTime={started_at}>{new Date(started_at).toLocaleTimeString('en-GB')}</time>
      <span class="outcome" data-outcome={outcome}>
        {OUTCOMES[outcome]}
      </span>
      <span class="sub">{text}</span>
    </>
  );
}

interface ReportButtonProps extends RunsPanelProps {
  readonly id: number;
  readonly name: string;
}

/** Downloads the report of a run that this browser keeps. */
function ReportButton({ id, name, context: { arm }, replays }: ReportButtonProps) {
  const isWriting = useSignal(false);
  // The twin takes a moment to simulate the run again; a second click would write a second file.
  async function write(): Promise<void> {
    const run = arm.view().runs?.find((each) => each.id === id);
    if (!run || isWriting.value) return;
    isWriting.value = true;
    try {
      await downloadPage(arm, `${name}, run ${id}`, reportOf(await replays.exact(run)));
    } finally {
      isWriting.value = false;
    }
  }
  return (
    <Button
      class="plain small"
      aria-label={`Report of run ${id} of ${name}`}
      aria-busy={isWriting.value ? 'true' : undefined}
      onClick={write}
    >
      <Icon name="page" />
      {isWriting.value ? 'Reading…' : 'Report'}
    </Button>
  );
}

/** The entry of a run that only the twin keeps; a click reads it, which simulates it again. */
function twinEntry(run: RobotRun, isRead: boolean) {
  // The figures of a run are those of its start until the list is read again, at its end.
  const figures = run.outcome === 'running' ? '' : runText({ ...run, deviation_m: null });
  return {
    label: `Replay run ${run.id} of the twin, ${run.name}`,
    words: { ...run, text: isRead ? 'Reading it from the twin…' : figures },
  };
}

/** The entry of a run that this browser keeps. */
function keptEntry(run: KeptRun) {
  return {
    label: `Replay run ${run.id} of ${run.name}`,
    words: { ...run, text: runText(run) },
  };
}

interface RunRowProps extends RunsPanelProps {
  readonly of: ListedRun;
}

/** A run as an entry of the list. It stays the same element when a run of the twin is read. */
function RunRow({ of, ...props }: RunRowProps) {
  const { context, replays } = props;
  const { replay } = context.store.shown;
  const [twin, kept] = 'twin' in of ? [of.twin, null] : [null, of.kept];
  const isRead = useComputed(() => replays.reading.value === twin?.id).value;
  const isShown = useComputed(() => replay.value === kept?.id).value;
  const { label, words } = kept ? keptEntry(kept) : twinEntry(twin!, isRead);
  function open(): void {
    if (twin) void replays.replayTwin(twin);
    // The list has the times of the twin; the run itself those of its recording.
    else replays.replay(context.arm.view().runs?.find(({ id }) => id === kept!.id) ?? kept!);
  }
  return (
    <li>
      <Button
        class="kept-run"
        aria-label={label}
        aria-busy={isRead ? 'true' : undefined}
        aria-current={isShown ? 'true' : undefined}
        disabled={twin?.replayable === false}
        onClick={open}
      >
        <RunWords {...words} />
      </Button>
      {kept && <ReportButton {...props} id={kept.id} name={kept.name} />}
    </li>
  );
}

/** What tells a run from others; a run that has been read from the twin stays in its place. */
function keyOf(one: ListedRun, twin: readonly RobotRun[]): string {
  if ('twin' in one) return `twin ${one.twin.id}`;
  const source = twin.find((each) => isSameRun(one.kept, each));
  return source ? `twin ${source.id}` : `kept ${one.kept.id}`;
}

/** The runs of this browser and of the twin as one list; it is hidden while there are none. */
export function RunsPanel({ context, replays }: RunsPanelProps) {
  const { robot, store } = context;
  const kept = useComputed(() => robot.value.runs ?? NONE).value;
  const twin = replays.twin.value;
  const replay = store.shown.replay.value;
  const beside = store.shown.beside.value;
  const grey = beside ? `; grey: ${beside.name}` : '';
  const replayed = kept.find(({ id }) => id === replay);
  return (
    <Panel
      name="Runs"
      end={<span class="end">kept by this browser and the twin</span>}
      hidden={kept.length + twin.length === 0}
    >
      <p class="sub replay-legend" hidden={replay === null}>
        {`In the scene, solid: the arm now; blue: this run${grey}.`}
      </p>
      <RunFindings findings={replayed?.findings ?? []} />
      <WhatIf context={context} replays={replays} />
      <ul class="kept-runs">
        {listRuns(kept, twin).map((one) => (
          <RunRow key={keyOf(one, twin)} of={one} context={context} replays={replays} />
        ))}
      </ul>
    </Panel>
  );
}
