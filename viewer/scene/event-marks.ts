/**
 * Marks of what just happened to an object of a cell: a ring about a grasp or a release, and the
 * name of a failure.
 */
import { Mesh, MeshBasicMaterial, RingGeometry, Vector3 } from 'three';
import type { CellEvent } from '../../contract/types.generated.ts';
import type { Label } from './labels.ts';

const PULSE_MS = 700;
const PULSE_M = 0.07;
/** How long a missed or dropped object is named in the scene (ms). */
const REPORT_MS = 5000;
const FAILURES: readonly string[] = ['missed', 'dropped', 'tipped', 'slipped', 'slid', 'fell_off'];

/** Rings a grasp or a release; names what was missed, dropped or fell. */
export class EventMarks {
  readonly ring = new Mesh(
    new RingGeometry(0.86, 1, 48),
    new MeshBasicMaterial({ transparent: true, depthWrite: false, toneMapped: false }),
  );
  private readonly still: MediaQueryList;
  private readonly onLabels: () => void;
  private report: { readonly event: CellEvent; readonly until_ms: number } | null = null;
  private pulse_ms = 0;

  constructor(still: MediaQueryList, onLabels: () => void) {
    this.still = still;
    this.onLabels = onLabels;
    this.ring.visible = false;
    this.ring.renderOrder = 5;
  }

  onEvent(event: CellEvent, now_ms: number): void {
    const { kind, position } = event;
    if (kind === 'grasped' || kind === 'released') {
      this.ring.position.set(position.x, position.y, position.z + 0.002);
      this.pulse_ms = now_ms;
    }
    if (FAILURES.includes(kind)) this.report = { event, until_ms: now_ms + REPORT_MS };
    else if (kind === 'grasped') this.report = null;
    this.onLabels();
  }

  labels(): Label[] {
    if (!this.report) return [];
    const { text, position } = this.report.event;
    const at = new Vector3(position.x, position.y, position.z + 0.08);
    return [{ text, at, kind: 'fault' }];
  }

  /** Returns whether a frame is due. */
  animate(now_ms: number): boolean {
    if (this.report && now_ms > this.report.until_ms) {
      this.report = null;
      this.onLabels();
    }
    const share = (now_ms - this.pulse_ms) / PULSE_MS;
    const shown = this.pulse_ms > 0 && share < 1 && !this.still.matches;
    const isNew = shown !== this.ring.visible;
    this.ring.visible = shown;
    if (shown) {
      this.ring.scale.setScalar(PULSE_M * (0.35 + 0.65 * Math.sqrt(share)));
      this.ring.material.opacity = 0.9 * (1 - share) ** 2;
    }
    return shown || isNew;
  }
}
