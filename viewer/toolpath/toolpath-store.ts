/**
 * State that the Paths and Teach pages share: the open toolpath, the path through it, and the
 * cursor and selection of tree, timeline, plots and scene.
 */

import type { Toolpath } from '../../contract/types.generated.ts';
import { ViewStore } from '../ui/view-store.ts';
import type { BuildReply, BuiltArm } from './build-messages.ts';
import { createBuildQueue } from './build-queue.ts';
import type { Finding } from './finding.ts';
import { createRemedySearch } from './remedy-search.ts';
import { startBuildWorker } from './start-build-worker.ts';
import { EMPTY_PATH, sameChoices, segmentAt, type TimedPath } from './timed-path.ts';
import type { LoopRange } from './timeline/loop-range.ts';
import type { ToolpathOrigin, ToolpathView } from './toolpath-view.ts';

/** An edit that replaces the open toolpath. */
export interface ToolpathDraft {
  readonly origin: ToolpathOrigin;
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly selected: string | null;
  /** Whether the arm does not have it; by default it has not. */
  readonly edited?: boolean;
}

const EMPTY: ToolpathView = {
  origin: null,
  opened: null,
  path: null,
  problems: [],
  busy: false,
  profile: null,
  jointRange: null,
  cell: null,
  cursor_s: 0,
  playing: false,
  rate: 1,
  looping: false,
  range: null,
  selected: null,
  running: null,
  finding: null,
  remedy: null,
  lookAt: null,
  replay: null,
  edited: false,
  saving: false,
  colouring: 'type',
  layers: { path: true, waypoints: true, zones: true, ghost: true },
  beside: null,
  runDeviation: null,
};

/** What a toolpath has that is not built. */
const UNBUILT = { path: EMPTY_PATH, checkedAgainst: [] };

/** Whether a segment belongs to an action or to its contents. */
export function belongsTo(pointer: string, segment: TimedPath['segments'][number]): boolean {
  const within = (at: string) => at === pointer || at.startsWith(`${pointer}/`);
  return within(segment.at) || segment.calls.some(within);
}

export class ToolpathStore extends ViewStore<ToolpathView> {
  private readonly worker = startBuildWorker();
  private readonly remedies = createRemedySearch(startBuildWorker);
  private readonly builds = createBuildQueue(
    (request) => this.worker.postMessage({ ...request, ...this.arm() }),
    (reply, edited) => this.onReply(reply, edited),
  );
  /** The finding to show when the next path arrives. */
  private wanted: Finding | null = null;

  constructor() {
    super(EMPTY);
    this.worker.addEventListener('message', (event: MessageEvent<BuildReply>) => {
      this.builds.handleReply(event.data);
    });
  }

  /** Checks and builds a toolpath; the view updates when that is done. */
  open(origin: ToolpathOrigin, text: string): void {
    this.wanted = null;
    this.set({ ...this.empty(), origin, busy: true });
    this.builds.build({ text, edited: false });
  }

  private arm(): BuiltArm {
    const { profile, jointRange, cell } = this.view();
    return { profile, jointRange, cell };
  }

  /** Builds for another arm from now on. */
  setArm({ profile = null, jointRange = null, cell = null }: BuiltArm): void {
    const { opened, replay } = this.view();
    const arm = { profile, jointRange, cell };
    if (JSON.stringify(arm) === JSON.stringify(this.arm())) return;
    const planned = replay === null ? opened : null;
    this.set(arm);
    if (this.builds.repeat() || !planned) return;
    this.set({ busy: true });
    this.builds.build({ text: JSON.stringify(planned.toolpath), edited: true });
  }

  /** Closes the toolpath; layers, colouring and rate stay. */
  close(): void {
    this.forgetBuilds();
    this.set(this.empty());
  }

  /** Shows a path that was not planned here, such as a recording; `opened` gives tool and zones. */
  showRecorded(
    origin: ToolpathOrigin,
    { opened, path }: Pick<ToolpathView, 'opened'> & { readonly path: TimedPath },
    replay: number | null = null,
  ): void {
    this.forgetBuilds();
    this.set({ ...this.empty(), origin, opened, path, replay });
  }

  /** Shows an edited toolpath at once and rebuilds it; path and findings follow. */
  edit({ origin, toolpath, notes, selected, edited = true }: ToolpathDraft): void {
    const { opened, path } = this.view();
    const kept = opened ?? { kind: 'opened', findings: [], ...UNBUILT, took_ms: 0 };
    const next = { ...kept, toolpath, notes };
    const reset = { finding: null, remedy: null, lookAt: null, playing: false };
    this.wanted = null;
    this.set({ origin, opened: next, path, selected, busy: true, edited, ...reset });
    this.builds.build({ text: JSON.stringify(toolpath), edited: true });
  }

  /** The view with nothing open. */
  private empty(): ToolpathView {
    const { layers, colouring, rate, saving } = this.view();
    return { ...EMPTY, ...this.arm(), layers, colouring, rate, saving };
  }

  /** What is still being built is not shown: it would replace what is shown in its place. */
  private forgetBuilds(): void {
    this.wanted = null;
    this.builds.forget();
  }

  /** Takes another branch of an `if`; -1 takes none. */
  chooseBranch(pointer: string, branch: number): void {
    const { path } = this.view();
    if (!path) return;
    const { [pointer]: _, ...others } = path.choices;
    this.builds.choose(branch < 0 ? others : { ...others, [pointer]: branch });
  }

  /** Moves the cursor; the selection follows. */
  seek(time_s: number): void {
    const { path } = this.view();
    if (!path) return;
    const cursor_s = Math.min(Math.max(time_s, 0), path.duration_s);
    const selected = path.segments[segmentAt(path, cursor_s)]?.at ?? null;
    this.set({ cursor_s, selected, finding: null });
  }

  /** Sets the range that playback repeats; null clears it. */
  setLoopRange(range: LoopRange | null): void {
    this.set({ range, looping: range !== null });
  }

  /** Selects an action and moves the cursor to its next occurrence on the path. */
  select(pointer: string): void {
    const { path, cursor_s } = this.view();
    const own = path?.segments.filter((segment) => belongsTo(pointer, segment)) ?? [];
    const next = own.find(({ start_s }) => start_s >= cursor_s - 1e-9) ?? own[0];
    const at_s = next ? next.start_s : cursor_s;
    this.set({ selected: pointer, cursor_s: at_s, finding: null, playing: false });
  }

  /** Shows an error or warning, and its place: the user chose it. */
  chooseFinding(finding: Finding): void {
    this.showFinding(finding);
    this.set({ lookAt: finding.tip_m ? [...finding.tip_m] : null });
  }

  /** Shows an error or warning; switches to another path if this one does not reach it. */
  private showFinding(finding: Finding): void {
    const { path } = this.view();
    if (!path) return;
    if (!sameChoices(path.choices, { ...path.choices, ...finding.choices })) {
      this.wanted = finding;
      this.builds.choose({ ...path.choices, ...finding.choices });
      return;
    }
    const own = path.segments.filter(({ at }) => at === finding.at);
    const { moment } = finding;
    const inCell = moment && own.find(({ cell }) => cell.join() === moment.cell.join());
    const segment = inCell ?? own.find(({ problem }) => problem?.code === finding.code) ?? own[0];
    const into_s = moment?.into_s ?? segment?.problem?.from_s ?? 0;
    const cursor_s = segment ? segment.start_s + into_s : 0;
    this.set({ selected: finding.at, finding, remedy: null, cursor_s, playing: false });
    this.findRemedies(finding);
  }

  private findRemedies(finding: Finding): void {
    const { opened } = this.view();
    if (!opened) return;
    const text = JSON.stringify(opened.toolpath);
    this.remedies.find({ text, finding, ...this.arm() }, (remedy) => {
      if (this.view().finding !== finding) return;
      const { deepest } = remedy;
      const chosen = this.view().lookAt !== null && deepest;
      this.set({ remedy, ...(chosen && { cursor_s: deepest.at_s, lookAt: deepest.tip_m }) });
    });
  }

  /** Shows the next error or warning after the current one. */
  showNextFinding(): void {
    const { opened, finding } = this.view();
    const findings = opened?.findings ?? [];
    const next = findings[(finding ? findings.indexOf(finding) + 1 : 0) % findings.length];
    if (next) this.chooseFinding(next);
  }

  private onReply(reply: BuildReply, edited: boolean): void {
    if (edited) this.onEditBuilt(reply);
    else if (reply.kind === 'refused') this.set({ busy: false, problems: reply.problems });
    else if (reply.kind === 'opened') {
      this.set({ busy: false, opened: reply, path: reply.path });
      const [first] = reply.findings;
      if (first) this.showFinding(first);
      else this.seek(0);
    } else {
      const { selected, cursor_s } = this.view();
      this.set({ path: reply.path, cursor_s: Math.min(cursor_s, reply.path.duration_s) });
      if (this.wanted) this.showFinding(this.wanted);
      else if (selected) this.select(selected);
      this.wanted = null;
    }
  }

  /** An edit keeps toolpath, selection and cursor; findings and path are new. */
  private onEditBuilt(reply: BuildReply): void {
    const { opened, cursor_s } = this.view();
    if (!opened || reply.kind === 'path') return;
    if (reply.kind === 'refused') {
      const unbuilt = { ...opened, findings: [], ...UNBUILT };
      this.set({
        busy: false,
        problems: reply.problems,
        opened: unbuilt,
        path: null,
        cursor_s: 0,
      });
      return;
    }
    const { findings, checkedAgainst, path, took_ms } = reply;
    const built = { ...opened, findings, checkedAgainst, path, took_ms };
    const at_s = Math.min(cursor_s, path.duration_s);
    this.set({ busy: false, problems: [], opened: built, path, cursor_s: at_s });
  }
}
