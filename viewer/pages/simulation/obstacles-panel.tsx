/**
 * Obstacles in the simulated world that the arm's software does not know. The user types their
 * values or places them on the ground with a click into the scene. Lengths are in mm here and in m
 * in the API.
 */
import { useComputed, useSignal } from '@preact/signals';
import type { AddObstacleBody, SimObstacle } from '../../../contract/types.generated.ts';
import { reuseIfEqual } from '../../link/reuse-if-equal.ts';
import { Button } from '../../ui/buttons.tsx';
import { bind, NumberField, TextField } from '../../ui/fields.tsx';
import { MM_PER_M } from '../../ui/units.ts';
import { decimal } from '../../ui/value-text.ts';
import { type PanelProps, usePolled } from './panel-context.ts';
import { LengthFields } from './place-fields.tsx';
import { Rows } from './rows.tsx';
import { Section } from './section.tsx';

const FIRST_AT = { x: 0.4, y: 0, z: 0.05 };
const FIRST_SIZE_M = { x: 0.1, y: 0.1, z: 0.1 };

function obstacleText({ name, position: p, half: h }: SimObstacle): string {
  const mm = (value: number) => decimal(value * MM_PER_M, 0);
  const size = [h.x, h.y, h.z].map((half) => mm(2 * half)).join(' × ');
  return `${name}, ${size} mm at ${[p.x, p.y, p.z].map(mm).join(', ')}`;
}

/** The panel of obstacles. */
export function ObstaclesPanel({ context }: PanelProps) {
  const { calls, view, arm, placing } = context;
  const name = useSignal('crate');
  const stiffness = useSignal<number | undefined>(25_000);
  const at = useSignal(FIRST_AT);
  const size_m = useSignal(FIRST_SIZE_M);
  const obstacles = useComputed(() => arm.value.sim?.obstacles).value ?? [];
  const { run } = usePolled(context, async (client) => {
    const reply = await client.listObstacles();
    const before = view().sim?.obstacles ?? null;
    const now = reuseIfEqual(before, reply.obstacles);
    if (now !== before) calls.patchView({ obstacles: now });
    return reply;
  });
  function read(): AddObstacleBody {
    const { x, y, z } = size_m.value;
    return {
      name: name.value.trim() || 'obstacle',
      position: at.value,
      half: { x: x / 2, y: y / 2, z: z / 2 },
      ...(stiffness.value !== undefined && { stiffness_n_per_m: stiffness.value }),
    };
  }
  const add = (body: AddObstacleBody) => run((client) => client.addObstacle(body));
  function placeAt(x: number, y: number): void {
    const body = read();
    void add({ ...body, position: { x, y, z: body.half.z } });
    placing.value = null;
  }
  function togglePlacing(): void {
    placing.value = placing.value ? null : placeAt;
  }
  return (
    <Section name="Obstacles">
      <div class="form-line">
        <TextField label="Name" {...bind(name)} />
        <NumberField label="Stiffness, N/m" min={100} max={1_000_000} {...bind(stiffness)} />
      </div>
      <div class="form-line">
        <LengthFields label="At" {...bind(at)} />
      </div>
      <div class="form-line">
        <LengthFields label="Size" min={1} {...bind(size_m)} />
      </div>
      <div class="form-line">
        <Button class="primary" onClick={() => add(read())}>
          Add obstacle
        </Button>
        <Button aria-pressed={placing.value !== null} onClick={togglePlacing}>
          Place by click
        </Button>
      </div>
      <Rows empty="No obstacles.">
        {obstacles.map((obstacle) => (
          <li key={obstacle.id}>
            <span class="grow">{obstacleText(obstacle)}</span>
            <Button
              aria-label={`Remove ${obstacle.name}`}
              onClick={() => run((client) => client.removeObstacle({ obstacle_id: obstacle.id }))}
            >
              Remove
            </Button>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
