import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JointDifference } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import { decimal, degrees } from '../../ui/value-text.ts';
import { LivePanel } from './live-panel.tsx';
import { Value } from './value.tsx';

const POLL_MS = 1000;
const JOINTS = [0, 1, 2, 3, 4, 5] as const;

interface ResidualRowProps {
  readonly joint: number;
  /** Undefined while it is not known. */
  readonly difference: JointDifference | undefined;
}

function ResidualRow({ joint, difference }: ResidualRowProps) {
  const max_rad = difference?.position_max_rad;
  return (
    <div class="joint" title={`Joint ${joint + 1}: real minus model`}>
      <b>J{joint + 1}</b>
      <span class="number quiet">
        {max_rad !== undefined && `max ${decimal(degrees(max_rad), 2)}°`}
      </span>
      <Value unit="°">{difference ? decimal(degrees(difference.position_rad), 2) : '–'}</Value>
      <Value unit="Nm">{difference ? decimal(difference.torque_n_m, 1) : '–'}</Value>
    </div>
  );
}

/**
 * The difference between a mirrored arm and its model, per joint; for admins. It is there once it
 * has been known, and says nothing old where it is not known now.
 */
export function ResidualPanel({ calls }: { readonly calls: ArmCalls }) {
  const mirror = useSignal<readonly JointDifference[] | null>(null);
  useEffect(() => {
    async function poll(): Promise<void> {
      if (document.hidden || !calls.client()) return;
      const reply = await calls.call((client) => client.getServos());
      const now = reply.ok ? reply.value.mirror : undefined;
      mirror.value = now ?? (mirror.value && []);
    }
    void poll();
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, []);
  const known = mirror.value;
  if (!known) return null;
  return (
    <LivePanel class="residuals" name="Real minus model" tab="joints">
      {JOINTS.map((joint) => (
        <ResidualRow
          key={joint}
          joint={joint}
          difference={known.find((each) => each.joint === joint)}
        />
      ))}
    </LivePanel>
  );
}
