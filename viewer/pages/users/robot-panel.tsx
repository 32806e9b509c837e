import type { ReadonlySignal } from '@preact/signals';
import type { ArmView } from '../../link/arm-view.ts';
import { Empty } from '../../ui/empty.tsx';
import { paceText } from '../../ui/value-text.ts';
import { Panel } from './panel.tsx';

const IN_MEMORY =
  'In memory: what is saved is gone when the twin stops. Start it with --data ./arm to keep it.';

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

/** The robot: name (set by the server's --name option), driver and clock. */
export function RobotPanel({ arm }: { readonly arm: ReadonlySignal<ArmView> }) {
  const { name, driver, clock, isInMemory } = arm.value;
  return (
    <Panel id="users-robot" heading="Robot">
      <p class="profile-line">
        <bdi class="strong">{name}</bdi>
      </p>
      <dl>
        <Fact name="Driver" text={driver ?? 'unknown'} />
        <Fact name="Clock" text={clock === null ? 'unknown' : paceText(clock)} />
        {isInMemory && <Fact name="Data" text={IN_MEMORY} />}
      </dl>
      <Empty>
        Set the name when the server starts: <code>--name</code> or <code>ARMTWIN_NAME</code>.
      </Empty>
    </Panel>
  );
}
