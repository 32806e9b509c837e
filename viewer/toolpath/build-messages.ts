/** What page and build worker say to each other; plain data. */
import type { Problem } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.ts';
import type { Choices, Finding, Way } from './way.ts';

/** `open` brings a toolpath as text; `choose` asks for another way through the one that is open. */
export type BuildRequest =
  | { readonly kind: 'open'; readonly text: string }
  | { readonly kind: 'choose'; readonly choices: Choices };

export interface OpenedToolpath {
  readonly kind: 'opened';
  /** In the latest format. */
  readonly toolpath: Toolpath;
  /** What bringing it to the latest format may have changed. */
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
  readonly way: Way;
  /** How long checking and building took (ms). */
  readonly took_ms: number;
}

export type BuildAnswer =
  | OpenedToolpath
  | { readonly kind: 'way'; readonly way: Way }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };
