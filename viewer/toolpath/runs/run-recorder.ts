/**
 * Records one run of a toolpath from the changes of the store. Times are those of the arm (s from
 * the start of the run).
 */

import type { RecordedRemark, RecordingDocument } from '../../../contract/export-document.ts';
import type { Toolpath } from '../../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from '../../link/arm-view.ts';
import type { KeptRun, RunOutcome } from '../../link/kept-run.ts';
import { POSITION } from '../../link/merge-changes.ts';
import { paceText, recordTimeText } from '../../ui/value-text.ts';
import { buildOnce } from '../build-once.ts';
import { deviationOf } from '../deviation.ts';
import { startBuildWorker } from '../start-build-worker.ts';
import { motionErrorText } from '../toolpath-text.ts';
import { encodeMotion, POSE_PERIOD_S, type RunSample, STOOD_S } from './recorded-motion.ts';
import { decodeSamples } from './recording.ts';

/** About ten minutes at 50 Hz; the motion after it is not kept. */
const SAMPLES_MAX = 30_000;

/** How a run ended, from the states before and after its end. */
export function outcomeOf(view: ArmView, before: ArmView): RunOutcome {
  if (view.link !== 'live') return 'lost';
  const state = view.snapshot?.control.state;
  if (state === 'error' || state === 'collision' || state === 'disabled') return state;
  return before.snapshot?.control.state === 'paused' ? 'cancelled' : 'finished';
}

/**
 * Records one run from the changes of the store. An arm that keeps no runs has no simulated world:
 * there is no cell to record, and nothing says what it touches.
 */
export class RunRecorder {
  readonly started_at = new Date();
  private readonly first: ArmView;
  private readonly start_s: number;
  private readonly samples: RunSample[] = [];
  private readonly remarks: RecordedRemark[] = [];
  private readonly kinds = new Set<string>();
  private toolpath: Toolpath | null = null;
  /** Time of the twin at which it started; null while unknown. */
  private began_s: number | null = null;
  private signals = 0;
  /** Time of the last change: a report may set the clock back a little, and a reset far. */
  private latest_s = 0;
  /** Whether the connection was lost, and nothing was heard of the motion since. */
  private isUnheard = false;

  constructor(view: ArmView, now_s: number) {
    this.first = view;
    this.start_s = now_s;
  }

  add(view: ArmView, before: ArmView, now_s: number): void {
    const at_s = Math.max(Number((now_s - this.start_s).toFixed(3)), this.latest_s);
    this.latest_s = at_s;
    const { snapshot, sim, loaded, shown, log } = view;
    if (sim?.status?.activity) this.kinds.add(sim.status.activity.kind);
    if (sim?.status?.state === 'running') this.began_s ??= sim.status.state_since_s;
    const hash = snapshot?.control.toolpath_hash;
    if (loaded && loaded.hash === hash) this.toolpath = loaded.toolpath;
    else if (shown?.toolpath && shown.hash === hash) this.toolpath = shown.toolpath;
    const isNewPose = snapshot && snapshot[POSITION] !== before.snapshot?.[POSITION];
    if (isNewPose && this.samples.length < SAMPLES_MAX) {
      this.samples.push({ at_s, joints: snapshot[POSITION] });
    }
    for (const { kind, text } of log.slice(0, Math.max(log.indexOf(before.log[0]!), 0))) {
      if (kind === 'io') this.signals++;
      this.remarks.push({ at_s, kind: kind === 'io' ? 'signal' : 'log', words: text });
    }
  }

  /** Notes whether the page hears of the arm. */
  hear({ link, snapshot }: ArmView, before: ArmView): void {
    if (link !== 'live') this.isUnheard = true;
    else if (snapshot !== before.snapshot && isMotionActive(snapshot)) this.isUnheard = false;
  }

  /** The outcome as far as this page knows it: what ended a motion meanwhile it does not. */
  outcome(view: ArmView, before: ArmView): RunOutcome {
    return this.isUnheard ? 'lost' : outcomeOf(view, before);
  }

  /** Whether the robot ran a toolpath; home and go_to are not kept. */
  isRun(): boolean {
    return this.kinds.size === 0 || this.kinds.has('run');
  }

  /** The run with what the plan says of it; `ended_s` is the twin's time of its end, if known. */
  async finish(
    view: ArmView,
    reached: RunOutcome,
    ended_s: number | null,
  ): Promise<Omit<KeptRun, 'id'>> {
    // After a reset the time of the twin begins again, at another pose.
    const isCut = ended_s !== null && this.began_s !== null && ended_s < this.began_s;
    const outcome = isCut ? 'reset' : reached;
    if (isCut) this.samples.pop();
    const plan = this.toolpath && (await buildOnce(startBuildWorker(), this.toolpath));
    const findings = (plan?.findings ?? []).map(
      ({ code, message }) => `${motionErrorText(code)}. ${message}`,
    );
    const { control } = (isCut ? this.first.snapshot : view.snapshot) ?? {};
    const name = control?.toolpath_name || 'Toolpath';
    const begin_s = this.began_s ?? Number.POSITIVE_INFINITY;
    const whole_s = ended_s !== null && ended_s > begin_s ? ended_s - begin_s : null;
    const recording = this.recording(name, whole_s);
    const deviation = plan && (await deviationOf(plan, decodeSamples(recording.motion)));
    const deviation_m = deviation?.most?.tool_m ?? null;
    const duration_s = recording.motion.times_s.at(-1) ?? 0;
    const started_at = (isCut ? null : this.twinDate(view)) ?? this.started_at.toISOString();
    const own = { name, started_at, outcome, duration_s };
    const counted = { deviation_m, contacts: 0, signals: this.signals };
    return {
      ...own,
      ...counted,
      facts: this.facts(started_at),
      findings,
      planned: this.toolpath && JSON.stringify(this.toolpath),
      recording,
    };
  }

  /** When it started by the date of the twin; null while unknown. */
  private twinDate({ sim }: ArmView): string | null {
    if (!sim || this.began_s === null) return null;
    const { date, now_s } = sim.clock;
    return new Date(Date.parse(date) + 1000 * (this.began_s - now_s)).toISOString();
  }

  private recording(name: string, duration_s: number | null): RecordingDocument {
    const { at_s: end_s = 0, joints = this.first.snapshot![POSITION] } = this.samples.at(-1) ?? {};
    const rest = { at_s: end_s + POSE_PERIOD_S, joints };
    const arrived = [...this.samples, rest, { ...rest, at_s: end_s + STOOD_S }];
    const pace = Math.max(this.first.sim?.clock.real_time_factor ?? 1, 1);
    const motion = encodeMotion(arrived, duration_s, pace);
    return {
      kind: 'recording',
      name,
      made_by: `armtwin, ${this.first.name}`,
      metadata: this.toolpath?.metadata ?? null,
      motion,
      remarks: this.remarks,
      cell: [],
    };
  }

  /** Who and what ran: the same facts give the same run again. */
  private facts(started_at: string): (readonly [string, string])[] {
    const { name, version, driver, clock, user_id, sim, snapshot } = this.first;
    const faults = (sim?.faults ?? []).map(({ fault }) =>
      'seed' in fault && fault.seed !== undefined
        ? `${fault.kind}, seed ${fault.seed}`
        : fault.kind,
    );
    return [
      ['Robot', `${name}, software ${version}`],
      ['Started', recordTimeText(started_at)],
      ['User', user_id === null ? 'unknown' : `user ${user_id}`],
      ['Driver, clock', `${driver ?? 'unknown'}, ${clock ? paceText(clock) : 'unknown'}`],
      ...(sim?.status ? ([['Start', `tick ${sim.status.tick} of the twin`]] as const) : []),
      ['Toolpath hash', snapshot?.control.toolpath_hash ?? ''],
      ['Injected faults', faults.join('; ') || 'none'],
    ];
  }
}
