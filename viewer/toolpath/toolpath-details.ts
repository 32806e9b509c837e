/**
 * Duration and check of the toolpaths of a list, found out by a worker for the arm and the cell
 * around it. By content hash; those for the plain arm are kept between visits.
 */
import { signal } from '@preact/signals';
import type { ToolpathHead } from '../../contract/types.generated.ts';
import { KeptDocument } from '../ui/kept-document.ts';
import type { BuildReply, BuildRequest, BuiltArm } from './build-messages.ts';
import { isOpenEnded } from './open-ended.ts';
import { startBuildWorker } from './start-build-worker.ts';

/** What a check of a toolpath found. */
export interface ToolpathDetails {
  /** Without the branches, and with signals that are waited for at once (s). */
  readonly duration_s: number;
  /** Whether signals may lengthen it. */
  readonly isOpenEnded: boolean;
  readonly errors: number;
  /** What it was checked against; empty where it could not be built. */
  readonly checkedAgainst: readonly string[];
  readonly bytes: number;
}

/** As many details are kept between visits. */
const KEPT_MAX = 2000;

/** Details by content hash, the oldest first. */
const kept = new KeptDocument<{ readonly known: readonly [string, ToolpathDetails][] }>(
  'armtwin.checked-toolpaths',
  { known: [] },
);

type Known = Map<string, ToolpathDetails>;

/** Checks toolpaths one at a time in a worker; the newest wish first. */
export class DetailsReader {
  /** Those of the present arm. */
  private known: Known = new Map(kept.read().known);
  /** Counts what has become known. */
  private readonly found = signal(0);
  private arm: BuiltArm = {};
  private readonly read: (head: ToolpathHead) => Promise<string | null>;
  private wanted: readonly ToolpathHead[] = [];
  /** Those of them that are not known yet. */
  private wishes: ToolpathHead[] = [];
  private worker: Worker | null = null;
  private isBusy = false;

  constructor(read: (head: ToolpathHead) => Promise<string | null>) {
    this.read = read;
  }

  /** What is known; a component that asks is drawn again when more is. */
  of = (hash: string): ToolpathDetails | undefined => {
    void this.found.value;
    return this.known.get(hash);
  };

  /** Checks for another arm from now on. */
  setArm(arm: BuiltArm): void {
    const { profile = null, jointRange = null, cell = null } = this.arm;
    if (arm.profile === profile && arm.jointRange === jointRange && arm.cell === cell) return;
    this.arm = arm;
    this.known = new Map(this.isPlain() ? kept.read().known : []);
    this.tell();
    this.wish(this.wanted);
  }

  private tell(): void {
    this.found.value = this.found.peek() + 1;
  }

  private isPlain(): boolean {
    const { profile, jointRange, cell } = this.arm;
    return !(profile || jointRange || cell);
  }

  /** Finds out the details of these toolpaths, in place of what was wished before. */
  wish(heads: readonly ToolpathHead[]): void {
    this.wanted = heads;
    this.wishes = heads.filter(({ hash }) => !this.known.has(hash));
    if (!this.isBusy) void this.work();
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    for (let head = this.wishes.shift(); head; head = this.wishes.shift()) {
      const text = await this.read(head);
      if (text === null) break;
      const { known } = this;
      known.set(head.hash, await this.check(text));
      // The arm has changed meanwhile: its toolpaths are wished anew.
      if (known !== this.known) continue;
      if (this.isPlain()) kept.write({ known: [...known].slice(-KEPT_MAX) });
      this.tell();
    }
    this.isBusy = false;
  }

  private check(text: string): Promise<ToolpathDetails> {
    this.worker ??= startBuildWorker();
    const { worker, arm } = this;
    return new Promise((resolve) => {
      const onReply = ({ data }: MessageEvent<BuildReply>): void => {
        const bytes = text.length;
        if (data.kind === 'refused') {
          const errors = data.problems.length;
          resolve({ duration_s: 0, isOpenEnded: false, errors, checkedAgainst: [], bytes });
        } else if (data.kind === 'opened') {
          const errors = data.findings.filter(({ kind }) => kind === 'error').length;
          resolve({
            duration_s: data.path.duration_s,
            isOpenEnded: isOpenEnded(data.toolpath),
            errors,
            checkedAgainst: data.checkedAgainst,
            bytes,
          });
        }
      };
      worker.addEventListener('message', onReply, { once: true });
      worker.postMessage({ kind: 'open', text, ...arm } satisfies BuildRequest);
    });
  }
}
