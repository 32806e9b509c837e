/** What the parts of the Gantt chart share: a part is drawn again when one of these changes that it reads. */
import { computed, signal } from '@preact/signals';
import { chartEnd_s } from './gantt-rows.ts';
import type { WorkflowState } from './workflow-state.ts';

/** Width left of the axis for the row names (equal to timeline-axis). */
export const GUTTER_PX = 116;
const RIGHT_PX = 40;
const ZOOM_MOST = 64;
/** The angle between the hues of neighbouring pieces (degrees): that of the golden section. */
const HUE_STEP_DEG = 137.5;

/** The hue of a piece of labware by its place in a list (degrees). */
function labwareHue_deg(index: number): number {
  return Math.round((200 + index * HUE_STEP_DEG) % 360);
}

export class ChartState {
  /** What is seen of the chart (px). */
  readonly width_px = signal(0);
  /** Times its width that the whole chart has. */
  readonly zoom = signal(1);
  /** End of the axis (s). */
  readonly end_s = computed(() => chartEnd_s(this.state.rows.value, this.now_s.value ?? 0));
  readonly px_per_s = computed(() => this.axis_px.value / this.end_s.value);
  /** Right end of the chart, from the beginning of the axis (px). */
  readonly end_px = computed(() => this.axis_px.value + RIGHT_PX);
  /** The hue of each piece of labware (degrees). */
  readonly hues_deg = computed(() => {
    const ids = JSON.parse(this.pieces.value) as readonly string[];
    return new Map(ids.map((id, i) => [id, labwareHue_deg(i)]));
  });
  /** The key of the selected bar; null for none. */
  readonly chosen = computed(() => {
    const selected = this.state.selected.value;
    const key = selected?.kind === 'bar' ? selected.key : null;
    return this.bars.value.some((bar) => bar.key === key) ? key : null;
  });
  /** The key of the only bar that is a tab stop. */
  readonly tabStop = computed(() => this.chosen.value ?? this.bars.value[0]?.key);
  private readonly state: WorkflowState;
  private readonly axis_px = computed(
    () => (this.width_px.value - GUTTER_PX - RIGHT_PX) * this.zoom.value,
  );
  private readonly bars = computed(() => this.state.rows.value.flatMap((row) => row.bars));
  /** The ids of the labware as text: an equal one changes nothing. */
  private readonly pieces = computed(() => {
    const ids = new Set(this.bars.value.map(({ labware }) => labware).filter(Boolean));
    return JSON.stringify([...ids].sort());
  });

  constructor(state: WorkflowState) {
    this.state = state;
  }

  /** Time of the run (s); null for a plan. */
  get now_s() {
    return this.state.now_s;
  }

  select(key: string): void {
    this.state.select({ kind: 'bar', key });
  }

  /** Shows less time, or more; all of it for 0. */
  zoomBy(factor: number): void {
    const { zoom } = this;
    zoom.value = factor === 0 ? 1 : Math.min(Math.max(zoom.value * factor, 1), ZOOM_MOST);
  }
}
