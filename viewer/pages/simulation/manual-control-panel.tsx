/**
 * The manual controls of the Simulation page: emergency stop, the buttons on the head of the arm,
 * an external push, and power.
 */
import { useComputed, useSignal } from '@preact/signals';
import { outsideStopText } from '../../link/outside-stop.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { bind, NumberField } from '../../ui/fields.tsx';
import type { PanelProps } from './panel-context.ts';
import { Section } from './section.tsx';

const NO_FORCE = { x: 0, y: 0, z: 0 };

function PushControls({ context: { calls } }: PanelProps) {
  const [x, y, z] = [useForce(), useForce(), useForce()];
  const duration_s = useSignal<number | undefined>(0.5);
  function push(): void {
    const force = { x: x.value ?? 0, y: y.value ?? 0, z: z.value ?? 0 };
    const given = duration_s.value === undefined ? {} : { duration_s: duration_s.value };
    void calls.run((client) => client.pushArm({ force, ...given }));
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend
    <div class="form-line" role="group" aria-label="Push">
      <NumberField label="x, N" {...bind(x)} />
      <NumberField label="y, N" {...bind(y)} />
      <NumberField label="z, N" {...bind(z)} />
      <NumberField label="Duration, s" min={0} {...bind(duration_s)} />
      <Button onClick={push}>Push</Button>
      <Button onClick={() => calls.run((client) => client.pushArm({ force: NO_FORCE }))}>
        Release
      </Button>
    </div>
  );
}

const useForce = () => useSignal<number | undefined>(0);

/** The panel of manual controls. */
export function ManualControlPanel({ context }: PanelProps) {
  const { calls, arm } = context;
  const isStopped = useComputed(() => arm.value.sim?.status?.emergency_stop === 'simulated').value;
  const isHeld = useComputed(() => arm.value.snapshot?.control.state === 'backdriving').value;
  const outside = useComputed(() => outsideStopText(arm.value)).value;
  const stop = () => calls.run((client) => client.setEmergencyStop({ engaged: !isStopped }));
  const hold = () => calls.run((client) => client.setButtons({ backdriving: !isHeld }));
  return (
    <Section name="Manual control">
      <div class="form-line">
        <Button
          class="simulation-stop"
          aria-pressed={isStopped}
          disabled={outside !== ''}
          title={outside || undefined}
          onClick={stop}
        >
          <Icon name="fault" />
          <span>{isStopped ? 'Release emergency stop' : 'Emergency stop'}</span>
        </Button>
        <Button aria-pressed={isHeld} onClick={hold}>
          {isHeld ? 'Release backdriving' : 'Hold backdriving'}
        </Button>
        <Button onClick={() => calls.run((client) => client.pressWaypoint())}>
          Press waypoint
        </Button>
        <Button onClick={() => calls.run((client) => client.cyclePower())}>Cycle power</Button>
      </div>
      <PushControls context={context} />
    </Section>
  );
}
