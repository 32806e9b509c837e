/** The six joints: position on a gauge with a common scale, position and velocity. */
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { MODEL_RANGE } from '../../../physics/arm/arm-range.ts';
import { angleText, decimal, degrees } from '../../ui/value-text.ts';
import { LivePanel } from './live-panel.tsx';
import type { LivePanelProps } from './live-state.ts';
import { Value } from './value.tsx';

/** Range of all gauges: half a turn in each direction. */
const SPAN_RAD = Math.PI;
/** Distance to a limit below which the value is marked as a warning. */
const NEAR_LIMIT_RAD = (3 * Math.PI) / 180;
const JOINTS = [0, 1, 2, 3, 4, 5] as const;

/** The place on a gauge, in percent of its width. */
function percent(angle_rad: number): number {
  return ((angle_rad + SPAN_RAD) / (2 * SPAN_RAD)) * 100;
}

interface GaugeProps extends LivePanelProps {
  readonly joint: number;
  readonly low_rad: number;
  readonly high_rad: number;
}

/** Where a joint is in its range; its mark moves without a layout. */
function Gauge({ live, joint, low_rad, high_rad }: GaugeProps) {
  const mark = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const at_rad = live.moves.value.view.snapshot?.['servos.telemetry.position'][joint];
    if (at_rad === undefined) return;
    mark.current!.style.transform = `translateX(${percent(at_rad).toFixed(2)}cqw)`;
  });
  const range = { left: `${percent(low_rad)}%`, right: `${100 - percent(high_rad)}%` };
  return (
    <span class="gauge">
      <span class="gauge-range" style={range} />
      <span class="gauge-zero" />
      <span ref={mark} class="gauge-mark" />
    </span>
  );
}

function JointRow({ live, joint }: LivePanelProps & { readonly joint: number }) {
  const { sim, snapshot } = live.texts.value.view;
  const { min_rad, max_rad } = sim?.jointRange ?? MODEL_RANGE;
  const [low_rad, high_rad] = [min_rad[joint]!, max_rad[joint]!];
  const [from, to] = [low_rad, high_rad].map((angle) => `${decimal(degrees(angle), 0)}°`);
  const position = snapshot?.['servos.telemetry.position'][joint];
  const velocity = snapshot?.['servos.telemetry.velocity'][joint];
  const isNear =
    position !== undefined && Math.min(position - low_rad, high_rad - position) < NEAR_LIMIT_RAD;
  return (
    <div
      class="joint"
      title={`Joint ${joint + 1}: limits ${from} to ${to}`}
      data-near-limit={isNear ? '' : undefined}
    >
      <b>J{joint + 1}</b>
      <Gauge {...{ live, joint, low_rad, high_rad }} />
      <Value unit="°">{position === undefined ? '' : angleText(position)}</Value>
      <Value unit="°/s" isQuiet>
        {velocity === undefined ? '' : decimal(velocity, 1)}
      </Value>
    </div>
  );
}

/** The panel with one row per joint. */
export function JointsPanel({ live }: LivePanelProps) {
  const columns = (
    <>
      <span class="column">position</span>
      <span class="column narrow">velocity</span>
    </>
  );
  return (
    <LivePanel class="joints" name="Joints" tab="joints" shown={live.texts.value} end={columns}>
      {JOINTS.map((joint) => (
        <JointRow key={joint} live={live} joint={joint} />
      ))}
    </LivePanel>
  );
}
