/** Named situations, such as a jammed gripper: those that the twin lists, each a button. */
import type { Situation } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { type PanelProps, usePolled } from './panel-context.ts';
import { readableName } from './readable-name.ts';
import { Section } from './section.tsx';
import { situationText } from './situation-text.ts';

/** The panel of situations. */
export function SituationsPanel({ context }: PanelProps) {
  const { calls } = context;
  const { reply, run } = usePolled(context, (client) => client.listSituations());
  /** Reads faults and obstacles at once, so that the scene follows without waiting for a poll. */
  async function refreshView(): Promise<void> {
    const faults = await calls.query((client) => client.listFaults());
    const world = await calls.query((client) => client.listObstacles());
    if (faults) calls.patchView({ faults: faults.faults });
    if (world) calls.patchView({ obstacles: world.obstacles });
  }
  async function toggle({ name, active }: Situation): Promise<void> {
    await run((client) =>
      active ? client.endSituation({ situation_name: name }) : client.beginSituation({ name }),
    );
    await refreshView();
  }
  return (
    <Section name="Situations">
      <div class="situations">
        {reply?.situations.map((situation) => (
          <Button
            key={situation.name}
            class="situation"
            aria-pressed={situation.active}
            disabled={!situation.possible}
            onClick={() => toggle(situation)}
          >
            <span class="situation-name">{readableName(situation.name)}</span>
            <span class="sub wrap">{situationText(situation)}</span>
            <span class="situation-act">{situation.active ? 'End' : 'Start'}</span>
          </Button>
        ))}
      </div>
    </Section>
  );
}
