import type { ReadonlySignal } from '@preact/signals';
import type { ArmView } from '../../link/arm-view.ts';
import { Empty } from '../../ui/empty.tsx';
import { Fact } from '../../ui/fact.tsx';
import { paceText } from '../../ui/value-text.ts';
import { Panel } from './panel.tsx';

const IN_MEMORY =
  'In memory: what is saved is gone when the twin stops. Start it with --data ./arm to keep it.';

/** The robot: name (set by the server's --name option), driver and clock. */
export function RobotPanel({ arm }: { readonly arm: ReadonlySignal<ArmView> }) {
  const { name, driver, clock, isInMemory } = arm.value;
  return (
    <Panel id="users-robot" heading="Robot">
      <p class="profile-line">
        <bdi class="strong">{name}</bdi>
      </p>
      <dl>
        <Fact name="Driver">{driver ?? 'unknown'}</Fact>
        <Fact name="Clock">{clock === null ? 'unknown' : paceText(clock)}</Fact>
        {isInMemory && <Fact name="Data">{IN_MEMORY}</Fact>}
      </dl>
      <Empty>
        Set the name when the server starts: <code>--name</code> or <code>ARMTWIN_NAME</code>.
      </Empty>
    </Panel>
  );
}
