/**
 * The run: loaded toolpath, loop and progress; while the arm is at rest, the next run's options.
 */
import { useSignalEffect } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { SimActivity } from '../../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from '../../link/arm-view.ts';
import { moveText } from '../../shell/motion-actions.ts';
import { loopText, runProgress } from '../../shell/run-progress.ts';
import type { Shown } from '../../shell/shown.ts';
import { Fact } from '../../ui/fact.tsx';
import { timeOfDayText } from '../../ui/value-text.ts';
import { cellCheckText } from './cell-check-text.ts';
import { LivePanel } from './live-panel.tsx';
import type { RunPartsProps } from './live-state.ts';
import { RunOptions } from './run-options.tsx';
import { ToolFacts } from './tool-facts.tsx';

const OPEN_HINT = 'Branches follow the present signals, and waits for signals count as zero';
const MODES = { automatic: 'Automatic', teach: 'Teach', not_running: '–' } as const;

/** "/timeline/3/timeline/0" in cell 2 as "4.1, cell 3"; '' where no step is known. */
function stepText({ step, to_start }: SimActivity): string {
  if (to_start) return 'on the way to the home waypoint';
  if (!step) return '';
  const { at, cell } = step;
  const numbers = [...at.matchAll(/\/(\d+)/g)].map(([, index]) => Number(index) + 1).join('.');
  const place = at.startsWith('/routines') ? `routine ${numbers}` : numbers;
  return cell.length > 0 ? `${place}, cell ${cell.map((each) => each + 1).join(', ')}` : place;
}

/** Reads the progress at a time, carried on since the present report arrived. */
function createProgress(): (shown: Shown) => ReturnType<typeof runProgress> {
  let status: object | null | undefined;
  let at_ms = 0;
  return (shown) => {
    const latest = shown.view.sim?.status;
    if (latest !== status) at_ms = shown.now_ms;
    status = latest;
    return runProgress(shown, shown.now_ms - at_ms);
  };
}

function startedText({ runStartedAt }: ArmView): string {
  return runStartedAt ? `Started ${timeOfDayText(runStartedAt).slice(0, 8)}` : '';
}

function RunFacts({ view }: { readonly view: ArmView }) {
  const { activity } = view.sim?.status ?? {};
  const place = activity ? stepText(activity) : '';
  const found = cellCheckText(view.sim?.cellCheck ?? null);
  const { toolpath_name = '', run_mode = 'not_running' } = view.snapshot?.control ?? {};
  return (
    <dl>
      <Fact name="Step" hidden={place === ''}>
        {place}
      </Fact>
      <Fact name="Toolpath">{toolpath_name || '–'}</Fact>
      <Fact name="In the cell" hidden={found.text === ''} title={found.more || undefined}>
        {found.text}
      </Fact>
      <Fact name="Mode">{MODES[moveText(view) ? 'not_running' : run_mode]}</Fact>
      <Fact name="Tool">
        <ToolFacts view={view} />
      </Fact>
    </dl>
  );
}

/** The panel of the run. */
export function RunPanel(props: RunPartsProps) {
  const { live } = props;
  const done = useRef<HTMLSpanElement>(null);
  const progressAt = useMemo(createProgress, []);
  useSignalEffect(() => {
    const share = progressAt(live.moves.value)?.share ?? 0;
    done.current!.style.transform = `scaleX(${share.toFixed(3)})`;
  });
  const shown = live.texts.value;
  const { view } = shown;
  const progress = view.snapshot && progressAt(shown);
  return (
    <LivePanel
      class="run"
      name="Run"
      tab="tool"
      shown={shown}
      end={<span class="end">{startedText(view)}</span>}
    >
      <div class="run-loop">
        <span>{view.snapshot && loopText(view)}</span>
        <span class="value" title={progress?.isOpen ? OPEN_HINT : undefined}>
          {progress?.text}
        </span>
      </div>
      <div class="progress" role="presentation" data-open={progress?.isOpen ? '' : undefined}>
        <span ref={done} class="progress-done" />
      </div>
      <RunFacts view={view} />
      <div class="chooser" hidden={isMotionActive(view.snapshot)}>
        <RunOptions {...props} />
      </div>
    </LivePanel>
  );
}
