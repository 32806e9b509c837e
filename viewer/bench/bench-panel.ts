/** What every panel of the Bench page is, and what it is given. */
import type { ArmView } from '../link/arm-store.ts';
import type { BenchCalls } from './bench-calls.ts';

export interface BenchPanel {
  readonly element: HTMLElement;
  /** Brings it up to date; called at most 20 times a second. */
  update(view: ArmView): void;
  /** Asks for what no stream tells; called when the page is entered, then once a second. */
  refresh?(): Promise<void>;
}

export interface BenchParts {
  readonly calls: BenchCalls;
  readonly view: () => ArmView;
}
