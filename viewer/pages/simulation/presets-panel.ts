/**
 * Situations that start with one button. A situation is a set of faults, an obstacle or a stop,
 * and active while they are.
 */
import type { AddFaultBody, AddObstacleBody } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { outsideStopText } from '../../link/outside-stop.ts';
import { heading } from '../../shell/heading.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

interface Situation {
  readonly name: string;
  /** What happens, in one sentence. */
  readonly text: string;
  readonly faults?: readonly AddFaultBody[];
  readonly obstacle?: AddObstacleBody;
  readonly stop?: boolean;
}

/** Delays of the slow network (s of wall time). */
const REPLY_DELAY_S = 0.8;
const STREAM_DELAY_S = 0.5;
/** A standing person as a box, half sizes in m, 0.45 m in front of the base. */
const PERSON: AddObstacleBody = {
  name: 'person',
  position: { x: 0.45, y: 0.1, z: 0.85 },
  half: { x: 0.12, y: 0.2, z: 0.85 },
  stiffness_n_per_m: 10_000,
};

export const SITUATIONS: readonly Situation[] = [
  {
    name: 'Gripper jams',
    text: 'The gripper reports nothing: Tool i0 keeps its value.',
    faults: [{ kind: 'stuck_input', input: 'ee_d0' }],
  },
  {
    name: 'Person in the cell',
    text: 'A person stands 0.45 m in front of the arm, and no zone says so.',
    obstacle: PERSON,
  },
  {
    name: 'Drive fails',
    text: 'J3 does not answer; the robot stops with an error.',
    faults: [{ kind: 'driver', joint: 2, fault: 'lost' }],
  },
  {
    name: 'Drive overheats',
    text: 'J4 is too hot; the robot stops with an error.',
    faults: [{ kind: 'driver', joint: 3, fault: 'overheated' }],
  },
  {
    name: 'Network is slow',
    text: `Replies come ${REPLY_DELAY_S} s late, stream messages ${STREAM_DELAY_S} s.`,
    faults: [
      { kind: 'reply', path: '/api/*', effect: 'delay', delay_s: REPLY_DELAY_S },
      { kind: 'stream', effect: 'delay', delay_s: STREAM_DELAY_S },
    ],
  },
  {
    name: 'Planner is slow',
    text: 'Every plan takes 2 s longer.',
    faults: [{ kind: 'slow_planner', delay_s: 2 }],
  },
  {
    name: 'Disk is full',
    text: 'Nothing can be saved.',
    faults: [{ kind: 'disk_full' }],
  },
  {
    name: 'Emergency stop',
    text: 'The emergency stop is pressed.',
    stop: true,
  },
];

/** Whether an injected fault is that of a situation; its defaults may be filled in. */
function isSame(injected: AddFaultBody, wanted: AddFaultBody): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...injected };
  return Object.entries(wanted).every(([key, value]) => fields[key] === value);
}

/** Ids of the faults and of the obstacle by which a situation is active. */
function tracesOf({ faults = [], obstacle }: Situation, { sim }: ArmView) {
  const injected = sim?.faults ?? [];
  return {
    faults: faults.flatMap((wanted) => injected.filter(({ fault }) => isSame(fault, wanted))),
    obstacles: (sim?.obstacles ?? []).filter(({ name }) => name === obstacle?.name),
  };
}

/** Faults that only a simulated arm has. */
const SIMULATED_FAULTS: readonly string[] = ['driver', 'slow_planner', 'disk_full'];

/** Whether the arm of a view can be brought into a situation. */
export function isOffered({ faults = [], obstacle }: Situation, { sim }: ArmView): boolean {
  if (sim?.obstacles) return true;
  return !obstacle && faults.every(({ kind }) => !SIMULATED_FAULTS.includes(kind));
}

/** Whether a situation is active in a view. */
export function isActive(situation: Situation, view: ArmView): boolean {
  const { faults, obstacles } = tracesOf(situation, view);
  const stopped = situation.stop === true && view.sim?.status?.emergency_stop === 'simulated';
  return stopped || faults.length > 0 || obstacles.length > 0;
}

async function begin({ calls }: SimulationContext, situation: Situation): Promise<void> {
  const { faults = [], obstacle, stop } = situation;
  for (const fault of faults) await calls.run((client) => client.addFault(fault));
  if (obstacle) await calls.run((client) => client.addObstacle(obstacle));
  if (stop) await calls.run((client) => client.setEmergencyStop({ engaged: true }));
}

async function end({ calls, view }: SimulationContext, situation: Situation): Promise<void> {
  const { faults, obstacles } = tracesOf(situation, view());
  for (const { id } of faults) await calls.run((client) => client.clearFault({ fault_id: id }));
  for (const { id } of obstacles) {
    await calls.run((client) => client.removeObstacle({ obstacle_id: id }));
  }
  if (situation.stop) await calls.run((client) => client.setEmergencyStop({ engaged: false }));
}

/** Reads faults and obstacles at once, so that the buttons follow without waiting for a poll. */
async function refreshView({ calls }: SimulationContext): Promise<void> {
  const faults = await calls.query((client) => client.listFaults());
  const world = await calls.query((client) => client.listObstacles());
  if (faults) calls.patchView({ faults: faults.faults });
  if (world) calls.patchView({ obstacles: world.obstacles });
}

function situationRow(context: SimulationContext, situation: Situation) {
  let active = false;
  let busy = false;
  const act = element('span', { class: 'situation-act' });
  async function toggle(): Promise<void> {
    if (busy) return;
    busy = true;
    await (active ? end : begin)(context, situation);
    await refreshView(context);
    busy = false;
  }
  const row = button(
    { class: 'situation', 'aria-pressed': 'false' },
    () => void toggle(),
    element('span', { class: 'situation-name' }, situation.name),
    element('span', { class: 'sub wrap' }, situation.text),
    act,
  );
  return {
    element: row,
    update(view: ArmView): void {
      active = isActive(situation, view);
      setAttribute(row, 'hidden', !isOffered(situation, view));
      setAttribute(row, 'aria-pressed', String(active));
      setText(act, active ? 'End' : 'Start');
      const reason = situation.stop ? outsideStopText(view) : '';
      setAttribute(row, 'disabled', reason !== '');
      setAttribute(row, 'title', reason || undefined);
    },
  };
}

/** The panel of situations. */
export function createPresetsPanel(context: SimulationContext): SimulationPanel {
  const rows = SITUATIONS.map((situation) => situationRow(context, situation));
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Situations' },
    heading('Situations').element,
    element('div', { class: 'situations' }, ...rows.map((row) => row.element)),
  );
  return {
    element: panel,
    update(view) {
      for (const row of rows) row.update(view);
    },
  };
}
