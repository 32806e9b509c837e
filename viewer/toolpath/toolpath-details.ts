/**
 * Duration and check of the toolpaths of a list, found out by a worker and kept by content hash.
 */
import type { ToolpathHead } from '../../contract/types.generated.ts';
import { KeptDocument } from '../ui/kept-document.ts';
import type { BuildReply, BuildRequest } from './build-messages.ts';
import { isOpenEnded } from './open-ended.ts';
import { startBuildWorker } from './start-build-worker.ts';

/** What a check of a toolpath found. */
export interface ToolpathDetails {
  /** Without the branches, and with signals that are waited for at once (s). */
  readonly duration_s: number;
  /** Whether signals may lengthen it. */
  readonly isOpenEnded: boolean;
  readonly errors: number;
  readonly bytes: number;
}

/** As many details are kept between visits. */
const KEPT_MAX = 2000;

/** Details by content hash, the oldest first. */
const kept = new KeptDocument<{ readonly known: readonly [string, ToolpathDetails][] }>(
  'armtwin.toolpath-details',
  { known: [] },
);

/** Checks toolpaths one at a time in a worker; the newest wish first. */
export class DetailsReader {
  private readonly known = new Map(kept.read().known);
  private readonly read: (head: ToolpathHead) => Promise<string | null>;
  private readonly onKnown: () => void;
  private wishes: ToolpathHead[] = [];
  private worker: Worker | null = null;
  private isBusy = false;

  constructor(read: (head: ToolpathHead) => Promise<string | null>, onKnown: () => void) {
    this.read = read;
    this.onKnown = onKnown;
  }

  of = (hash: string): ToolpathDetails | undefined => this.known.get(hash);

  /** Finds out the details of these toolpaths, in place of what was wished before. */
  wish(heads: readonly ToolpathHead[]): void {
    this.wishes = heads.filter(({ hash }) => !this.known.has(hash));
    if (!this.isBusy) void this.work();
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    for (let head = this.wishes.shift(); head; head = this.wishes.shift()) {
      const text = await this.read(head);
      if (text === null) break;
      this.keep(head.hash, await this.check(text));
    }
    this.isBusy = false;
  }

  private check(text: string): Promise<ToolpathDetails> {
    this.worker ??= startBuildWorker();
    const { worker } = this;
    return new Promise((resolve) => {
      const onReply = ({ data }: MessageEvent<BuildReply>): void => {
        const bytes = text.length;
        if (data.kind === 'refused') {
          resolve({ duration_s: 0, isOpenEnded: false, errors: data.problems.length, bytes });
        } else if (data.kind === 'opened') {
          const errors = data.findings.filter(({ kind }) => kind === 'error').length;
          resolve({
            duration_s: data.path.duration_s,
            isOpenEnded: isOpenEnded(data.toolpath),
            errors,
            bytes,
          });
        }
      };
      worker.addEventListener('message', onReply, { once: true });
      worker.postMessage({ kind: 'open', text } satisfies BuildRequest);
    });
  }

  private keep(hash: string, details: ToolpathDetails): void {
    this.known.set(hash, details);
    kept.write({ known: [...this.known].slice(-KEPT_MAX) });
    this.onKnown();
  }
}
