/**
 * What the Toolpaths page knows: the toolpath that is open, the way through it, and the one cursor
 * and one selection that tree, timeline, plots and scene share. Changes by replacement.
 */
import type { Problem } from '../../contract/result.ts';
import type { PathColouring } from '../scene/way-colours.ts';
import type { BuildAnswer, BuildRequest, OpenedToolpath } from './build-messages.ts';
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
  /** JSON pointer of the selected action, branch or routine. */
  readonly selected: string | null;
  /** The error or warning that is looked at. */
  readonly finding: Finding | null;
  readonly colouring: PathColouring;
  readonly layers: PlanLayers;
}

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
  selected: null,
  finding: null,
  colouring: 'type',
  layers: { path: true, waypoints: true, zones: true, ghost: true },
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
  private readonly worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
    type: 'module',
  });
  /** What to look at once another way has come. */
  private wanted: Finding | null = null;

  constructor() {
    this.worker.addEventListener('message', (event: MessageEvent<BuildAnswer>) => {
      this.take(event.data);
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
    this.ask({ kind: 'open', text });
  }

  /** Takes another branch of an `if`; -1 takes none. */
  choose(pointer: string, branch: number): void {
    const { way } = this.current;
    if (!way) return;
    const { [pointer]: _, ...others } = way.choices;
    this.ask({ kind: 'choose', choices: branch < 0 ? others : { ...others, [pointer]: branch } });
  }

  /** Moves the cursor; the selection follows it. */
  seek(time_s: number): void {
    const { way } = this.current;
    if (!way) return;
    const cursor_s = Math.min(Math.max(time_s, 0), way.duration_s);
    const selected = way.stretches[stretchAt(way, cursor_s)]?.at ?? null;
    this.set({ cursor_s, selected, finding: null });
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
      this.ask({ kind: 'choose', choices: { ...way.choices, ...finding.choices } });
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

  private ask(request: BuildRequest): void {
    this.worker.postMessage(request);
  }

  private take(answer: BuildAnswer): void {
    if (answer.kind === 'refused') this.set({ busy: false, problems: answer.problems });
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
}
