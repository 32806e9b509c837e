/**
 * The rows of the program tree: what each action of a toolpath says in words, nested as in the
 * toolpath. Routines stand after the program, once each. Pure.
 */
import type { Action, Toolpath } from '../../contract/types.ts';
import { conditionWords, ioWords } from './condition-words.ts';

export type RowKind =
  | 'home'
  | 'joint'
  | 'linear'
  | 'spline'
  | 'pass'
  | 'output'
  | 'wait'
  | 'if'
  | 'branch'
  | 'else'
  | 'grid'
  | 'call'
  | 'routine'
  | 'restart';

export interface ProgramRow {
  /** JSON pointer of the action; branches and routines have their own. */
  readonly at: string;
  readonly kind: RowKind;
  readonly words: string;
  /** What is said in passing. */
  readonly aside: string;
  readonly depth: number;
  /** Whether it opens to rows below it. */
  readonly opens: boolean;
  /** For a branch: the `if` it belongs to and its number; -1 takes none. */
  readonly branch: { readonly of: string; readonly number: number } | null;
}

const MOVES = { joint_space: 'joint', linear: 'linear', spline: 'spline' } as const;

/** The name of a waypoint, as people call it. */
export function waypointName(toolpath: Toolpath, index: number): string {
  const waypoint = toolpath.waypoints[index];
  return waypoint?.label ?? `Waypoint ${waypoint?.label_id ?? index}`;
}

function pace({ time, max_speed }: { time?: number; max_speed?: number }): string {
  if (time !== undefined) return `in ${time} s`;
  return max_speed === undefined ? '' : `max ${Math.round(max_speed * 1000)} mm/s`;
}

function offsetWords(z_offset_m: number): string {
  const height = Math.round(z_offset_m * 10_000) / 10;
  if (height === 0) return 'To cell';
  return height > 0 ? `${height} mm above cell` : `${-height} mm below cell`;
}

class Lister {
  readonly rows: ProgramRow[] = [];
  private readonly toolpath: Toolpath;

  constructor(toolpath: Toolpath) {
    this.toolpath = toolpath;
  }

  list(timeline: readonly Action[], at: string, depth: number): void {
    for (const [i, action] of timeline.entries()) this.action(action, `${at}/${i}`, depth);
  }

  add(row: Pick<ProgramRow, 'at' | 'kind' | 'words' | 'depth'> & Partial<ProgramRow>): void {
    this.rows.push({ aside: '', opens: false, branch: null, ...row });
  }

  private action(action: Action, at: string, depth: number): void {
    switch (action.type) {
      case 'if':
        this.branches(action, at, depth);
        return;
      case 'grid': {
        const { cols, rows, timeline } = action;
        const aside = `${cols * rows} cells`;
        this.add({ at, depth, kind: 'grid', words: `Grid, ${cols} × ${rows}`, aside, opens: true });
        this.list(timeline, `${at}/timeline`, depth + 1);
        return;
      }
      default:
        this.add({ at, depth, ...this.plain(action) });
    }
  }

  private plain(
    action: Exclude<Action, { type: 'if' | 'grid' }>,
  ): Pick<ProgramRow, 'kind' | 'words'> & { readonly aside?: string } {
    switch (action.type) {
      case 'home':
        return { kind: 'home', words: 'Start at', aside: this.name(action.waypoint_id) };
      case 'trajectory': {
        const words = this.name(action.waypoint_id);
        if (action.pass_through) return { kind: 'pass', words, aside: 'pass through' };
        return { kind: MOVES[action.trajectory ?? 'joint_space'], words, aside: pace(action) };
      }
      case 'grid-waypoint':
        return { kind: 'joint', words: offsetWords(action.z_offset), aside: pace(action) };
      case 'output-set': {
        const value = typeof action.value === 'boolean' ? (action.value ? 'on' : 'off') : '';
        return {
          kind: 'output',
          words: ioWords(action.io, 'output'),
          aside: value || `${action.value}`,
        };
      }
      case 'wait':
        return action.condition.type === 'time'
          ? { kind: 'wait', words: 'Wait' }
          : { kind: 'wait', words: `Wait until ${conditionWords(action.condition)}` };
      case 'call-routine':
        return { kind: 'call', words: action.routine ?? action.name ?? '', aside: 'routine' };
      case 'restart':
        return { kind: 'restart', words: 'Restart' };
    }
  }

  private name(index: number): string {
    return waypointName(this.toolpath, index);
  }

  private branches(action: Extract<Action, { type: 'if' }>, at: string, depth: number): void {
    const count = action.branches.length;
    const aside = `${count} ${count === 1 ? 'branch' : 'branches'}`;
    this.add({ at, depth, kind: 'if', words: 'If', aside, opens: true });
    for (const [number, { condition, timeline }] of action.branches.entries()) {
      const own = `${at}/branches/${number}`;
      const words = conditionWords(condition);
      const branch = { of: at, number };
      this.add({ at: own, depth: depth + 1, kind: 'branch', words, opens: true, branch });
      this.list(timeline, `${own}/timeline`, depth + 2);
    }
    const branch = { of: at, number: -1 };
    this.add({ at: `${at}/else`, depth: depth + 1, kind: 'else', words: 'Else go on', branch });
  }
}

/** All rows of a toolpath that has passed the toolpath check, in order. */
export function programRows(toolpath: Toolpath): readonly ProgramRow[] {
  const lister = new Lister(toolpath);
  lister.list(toolpath.timeline, '/timeline', 0);
  for (const [i, { name, timeline }] of (toolpath.routines ?? []).entries()) {
    const at = `/routines/${i}`;
    lister.add({ at, depth: 0, kind: 'routine', words: name, aside: 'routine', opens: true });
    lister.list(timeline, `${at}/timeline`, 1);
  }
  return lister.rows;
}
