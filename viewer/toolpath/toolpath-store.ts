/**
 * What the Toolpaths page knows: the toolpath that is open, the way through it, and the one cursor
 * and one selection that tree, timeline, plots and scene share. Changes by replacement.
 */
import type { Problem } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.ts';
import type { PathColouring } from '../scene/way-colours.ts';
import { startBuildWorker } from '../workers.ts';
import type { BuildAnswer, OpenedToolpath } from './build-messages.ts';
import { createBuildQueue } from './build-queue.ts';
import type { DeviationTrace } from './deviation.ts';
import type { LoopRange } from './loop-range.ts';
import { type Choices, type Finding, stretchAt, type Way } from './way.ts';

/** Parts of the scene that the user may hide. */
export interface PlanLayers {
  readonly path: boolean;
  readonly waypoints: boolean;
  readonly zones: boolean;
  readonly ghost: boolean;
}

/** Where the open toolpath came from. */
export interface Origin {
  readonly name: string;
  /** Number on the arm, or null for a file. */
  readonly id: number | null;
}

export interface ToolpathView {
  readonly origin: Origin | null;
  /** The text as it came, for saving and using it unchanged. */
  readonly opened: OpenedToolpath | null;
  readonly way: Way | null;
  readonly problems: readonly Problem[];
  readonly busy: boolean;
  readonly cursor_s: number;
  readonly playing: boolean;
  readonly rate: number;
  readonly looping: boolean;
  /** The part of the way that is repeated; null: the whole of it. */
  readonly range: LoopRange | null;
  /** JSON pointer of the selected action, branch or routine. */
  readonly selected: string | null;
  /** The error or warning that is looked at. */
  readonly finding: Finding | null;
  readonly colouring: PathColouring;
  readonly layers: PlanLayers;
  /** The arm's own way while it runs the open toolpath; null before it has. */
  readonly followed: Followed | null;
}

/** How a run goes against the plan; `count` grows with the trace. */
export interface Followed {
  readonly trace: DeviationTrace;
  readonly count: number;
}

/** A toolpath in place of the one that is open. */
export interface Edit {
  readonly origin: Origin;
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly selected: string | null;
}

/** The way through what cannot be built. */
const NOWHERE: Way = {
  choices: {},
  duration_s: 0,
  stretches: [],
  track: {
    count: 0,
    times_s: new Float64Array(),
    joints: new Float32Array(),
    velocities: new Float32Array(),
    tips: new Float32Array(),
    speeds: new Float32Array(),
    stretches: new Uint32Array(),
  },
};

const EMPTY: ToolpathView = {
  origin: null,
  opened: null,
  way: null,
  problems: [],
  busy: false,
  cursor_s: 0,
  playing: false,
  rate: 1,
  looping: false,
  range: null,
  selected: null,
  finding: null,
  colouring: 'type',
  layers: { path: true, waypoints: true, zones: true, ghost: true },
  followed: null,
};

type Listener = (view: ToolpathView, before: ToolpathView) => void;

/** Whether an action, or what it contains, is under way in a stretch. */
export function belongsTo(pointer: string, stretch: Way['stretches'][number]): boolean {
  const within = (at: string) => at === pointer || at.startsWith(`${pointer}/`);
  return within(stretch.at) || stretch.calls.some(within);
}

function sameChoices(a: Choices, b: Choices): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => a[key] === b[key]);
}

export class ToolpathStore {
  private current = EMPTY;
  private readonly listeners: Listener[] = [];
  private readonly worker = startBuildWorker();
  private readonly builds = createBuildQueue(
    (request) => this.worker.postMessage(request),
    (answer, edited) => this.take(answer, edited),
  );
  /** What to look at once another way has come. */
  private wanted: Finding | null = null;

  constructor() {
    this.worker.addEventListener('message', (event: MessageEvent<BuildAnswer>) => {
      this.builds.hear(event.data);
    });
  }

  view(): ToolpathView {
    return this.current;
  }

  set(patch: Partial<ToolpathView>): void {
    const before = this.current;
    this.current = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.current, before);
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Has a toolpath checked and built; the view follows when that is done. */
  open(origin: Origin, text: string): void {
    const { layers, colouring, rate } = this.current;
    this.set({ ...EMPTY, layers, colouring, rate, origin, busy: true });
    this.builds.build({ text, edited: false });
  }

  /** Nothing is open any more; layers, colouring and rate stay as they are. */
  close(): void {
    const { layers, colouring, rate } = this.current;
    this.set({ ...EMPTY, layers, colouring, rate });
  }

  /** Shows a way that was not planned here, such as a recording; `opened` gives tool and zones. */
  show(
    origin: Origin,
    { opened, way }: Pick<ToolpathView, 'opened'> & { readonly way: Way },
  ): void {
    this.set({ ...EMPTY, origin, opened, way });
  }

  /** Shows an edited toolpath at once and has it built anew; way and findings follow. */
  edit({ origin, toolpath, notes, selected }: Edit): void {
    const { opened, way } = this.current;
    const kept = opened ?? { kind: 'opened', findings: [], way: NOWHERE, took_ms: 0 };
    const next = { ...kept, toolpath, notes };
    this.set({ origin, opened: next, way, selected, busy: true, finding: null, playing: false });
    this.builds.build({ text: JSON.stringify(toolpath), edited: true });
  }

  /** Takes another branch of an `if`; -1 takes none. */
  choose(pointer: string, branch: number): void {
    const { way } = this.current;
    if (!way) return;
    const { [pointer]: _, ...others } = way.choices;
    this.builds.choose(branch < 0 ? others : { ...others, [pointer]: branch });
  }

  /** Moves the cursor; the selection follows it. */
  seek(time_s: number): void {
    const { way } = this.current;
    if (!way) return;
    const cursor_s = Math.min(Math.max(time_s, 0), way.duration_s);
    const selected = way.stretches[stretchAt(way, cursor_s)]?.at ?? null;
    this.set({ cursor_s, selected, finding: null });
  }

  /** Has playback repeat a part of the way; null lets it play on past it. */
  repeat(range: LoopRange | null): void {
    this.set({ range, looping: range !== null });
  }

  /** Selects an action and takes the cursor to where the way next comes by. */
  select(pointer: string): void {
    const { way, cursor_s } = this.current;
    const own = way?.stretches.filter((stretch) => belongsTo(pointer, stretch)) ?? [];
    const next = own.find(({ start_s }) => start_s >= cursor_s - 1e-9) ?? own[0];
    const at_s = next ? next.start_s : cursor_s;
    this.set({ selected: pointer, cursor_s: at_s, finding: null, playing: false });
  }

  /** Looks at an error or warning, by another way where this one does not come by. */
  look(finding: Finding): void {
    const { way } = this.current;
    if (!way) return;
    if (!sameChoices(way.choices, { ...way.choices, ...finding.choices })) {
      this.wanted = finding;
      this.builds.choose({ ...way.choices, ...finding.choices });
      return;
    }
    const own = way.stretches.filter(({ at }) => at === finding.at);
    const stretch = own.find(({ problem }) => problem?.code === finding.code) ?? own[0];
    const cursor_s = stretch ? stretch.start_s + (stretch.problem?.from_s ?? 0) : 0;
    this.set({ selected: finding.at, finding, cursor_s, playing: false });
  }

  /** The next error or warning after the one that is looked at. */
  lookAtNext(): void {
    const { opened, finding } = this.current;
    const findings = opened?.findings ?? [];
    const next = findings[(finding ? findings.indexOf(finding) + 1 : 0) % findings.length];
    if (next) this.look(next);
  }

  private take(answer: BuildAnswer, edited: boolean): void {
    if (edited) this.takeEdited(answer);
    else if (answer.kind === 'refused') this.set({ busy: false, problems: answer.problems });
    else if (answer.kind === 'opened') {
      this.set({ busy: false, opened: answer, way: answer.way });
      const [first] = answer.findings;
      if (first) this.look(first);
      else this.seek(0);
    } else {
      const { selected, cursor_s } = this.current;
      this.set({ way: answer.way, cursor_s: Math.min(cursor_s, answer.way.duration_s) });
      if (this.wanted) this.look(this.wanted);
      else if (selected) this.select(selected);
      this.wanted = null;
    }
  }

  /** An edit keeps toolpath, selection and cursor as they are; only what was found out is new. */
  private takeEdited(answer: BuildAnswer): void {
    const { opened, cursor_s } = this.current;
    if (!opened || answer.kind === 'way') return;
    if (answer.kind === 'refused') {
      const unbuilt = { ...opened, findings: [], way: NOWHERE };
      this.set({ busy: false, problems: answer.problems, opened: unbuilt, way: null, cursor_s: 0 });
      return;
    }
    const { findings, way, took_ms } = answer;
    const built = { ...opened, findings, way, took_ms };
    const at_s = Math.min(cursor_s, way.duration_s);
    this.set({ busy: false, problems: [], opened: built, way, cursor_s: at_s });
  }
}
