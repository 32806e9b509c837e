/**
 * The program as rows, nested as in the toolpath; routines follow the program, once each. Pure.
 */

import { conditionText, ioText } from '../../contract/condition-text.ts';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { waypointName } from './waypoint-name.ts';

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
  readonly text: string;
  /** Secondary text. */
  readonly detail: string;
  readonly depth: number;
  /** Whether the row can be expanded. */
  readonly opens: boolean;
  /** For a branch: pointer of its `if`, and its number; -1 for the else branch. */
  readonly branch: { readonly of: string; readonly number: number } | null;
}

const MOVES = { joint_space: 'joint', linear: 'linear', spline: 'spline' } as const;

function pace({ time, max_speed }: { time?: number; max_speed?: number }): string {
  if (time !== undefined) return `in ${time} s`;
  return max_speed === undefined ? '' : `max ${Math.round(max_speed * 1000)} mm/s`;
}

function offsetText(z_offset_m: number): string {
  const height = Math.round(z_offset_m * 10_000) / 10;
  if (height === 0) return 'To cell';
  return height > 0 ? `${height} mm above cell` : `${-height} mm below cell`;
}

class RowBuilder {
  readonly rows: ProgramRow[] = [];
  private readonly toolpath: Toolpath;

  constructor(toolpath: Toolpath) {
    this.toolpath = toolpath;
  }

  list(timeline: readonly Action[], at: string, depth: number): void {
    for (const [i, action] of timeline.entries()) this.action(action, `${at}/${i}`, depth);
  }

  add(row: Pick<ProgramRow, 'at' | 'kind' | 'text' | 'depth'> & Partial<ProgramRow>): void {
    this.rows.push({ detail: '', opens: false, branch: null, ...row });
  }

  private action(action: Action, at: string, depth: number): void {
    switch (action.type) {
      case 'if':
        this.branches(action, at, depth);
        return;
      case 'grid': {
        const { cols, rows, timeline } = action;
        const detail = `${cols * rows} cells`;
        this.add({ at, depth, kind: 'grid', text: `Grid, ${cols} × ${rows}`, detail, opens: true });
        this.list(timeline, `${at}/timeline`, depth + 1);
        return;
      }
      default:
        this.add({ at, depth, ...this.plain(action) });
    }
  }

  private plain(
    action: Exclude<Action, { type: 'if' | 'grid' }>,
  ): Pick<ProgramRow, 'kind' | 'text'> & { readonly detail?: string } {
    switch (action.type) {
      case 'home':
        return { kind: 'home', text: 'Start at', detail: this.name(action.waypoint_id) };
      case 'trajectory': {
        const text = this.name(action.waypoint_id);
        if (action.pass_through) return { kind: 'pass', text, detail: 'pass through' };
        return { kind: MOVES[action.trajectory ?? 'joint_space'], text, detail: pace(action) };
      }
      case 'grid-waypoint':
        return { kind: 'joint', text: offsetText(action.z_offset ?? 0), detail: pace(action) };
      case 'output-set': {
        const value = typeof action.value === 'boolean' ? (action.value ? 'on' : 'off') : '';
        return {
          kind: 'output',
          text: ioText(action.io, 'output'),
          detail: value || `${action.value}`,
        };
      }
      case 'wait':
        return action.condition.type === 'time'
          ? { kind: 'wait', text: 'Wait' }
          : { kind: 'wait', text: `Wait until ${conditionText(action.condition)}` };
      case 'call-routine':
        return { kind: 'call', text: action.routine ?? action.name ?? '', detail: 'routine' };
      case 'restart':
        return { kind: 'restart', text: 'Restart' };
    }
  }

  private name(index: number): string {
    return waypointName(this.toolpath, index);
  }

  private branches(action: Extract<Action, { type: 'if' }>, at: string, depth: number): void {
    const count = action.branches.length;
    const detail = `${count} ${count === 1 ? 'branch' : 'branches'}`;
    this.add({ at, depth, kind: 'if', text: 'If', detail, opens: true });
    for (const [number, { condition, timeline }] of action.branches.entries()) {
      const own = `${at}/branches/${number}`;
      const text = conditionText(condition);
      const branch = { of: at, number };
      this.add({ at: own, depth: depth + 1, kind: 'branch', text, opens: true, branch });
      this.list(timeline, `${own}/timeline`, depth + 2);
    }
    const branch = { of: at, number: -1 };
    this.add({ at: `${at}/else`, depth: depth + 1, kind: 'else', text: 'Else continue', branch });
  }
}

/** All rows of a checked toolpath, in program order. */
export function programRows(toolpath: Toolpath): readonly ProgramRow[] {
  const builder = new RowBuilder(toolpath);
  builder.list(toolpath.timeline, '/timeline', 0);
  for (const [i, { name, timeline }] of (toolpath.routines ?? []).entries()) {
    const at = `/routines/${i}`;
    builder.add({ at, depth: 0, kind: 'routine', text: name, detail: 'routine', opens: true });
    builder.list(timeline, `${at}/timeline`, 1);
  }
  return builder.rows;
}
