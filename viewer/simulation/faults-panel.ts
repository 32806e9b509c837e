/**
 * Fault injection: situations that start with one button, and forms that add, list and clear faults
 * of every kind in the contract. A situation is a set of faults, an obstacle or a stop, and active
 * while they are.
 */

import type { AddFaultBody, AddObstacleBody, SimFault } from '../../contract/types.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { type ArmView, outsideStopText } from '../link/arm-store.ts';
import { button, element, heading, icon, setAttribute, setText } from '../panels/element.ts';
import { ioName } from '../panels/value-text.ts';
import type { SimulationContext, SimulationPanel } from './form-inputs.ts';
import {
  createRowList,
  readableName,
  schemaVariants,
  selectInput,
  valueText,
} from './form-inputs.ts';

/** A fault as text: its kind, then its fields. */
export function faultText({ fault }: SimFault): string {
  const { kind, ...fields } = fault;
  const parts = Object.entries(fields).map(([name, value]) => {
    if (name === 'joint') return jointName(Number(value));
    if (name === 'input') return ioName(String(value), 'input');
    return typeof value === 'number' ? valueText(name, value) : String(value).replaceAll('_', ' ');
  });
  return [readableName(kind), ...parts].join(', ');
}

/** The panel of injected faults. */
export function createFaultsPanel({ calls }: SimulationContext): SimulationPanel {
  const variants = schemaVariants('AddFaultBody');
  let form = variants[0]!.form();
  const description = element('p', { class: 'sub wrap' });
  const fields = element('div', { class: 'simulation-line' });
  const select = (name: string): void => {
    const variant = variants.find((each) => each.name === name) ?? variants[0]!;
    form = variant.form();
    description.textContent = variant.description;
    fields.replaceChildren(...form.elements);
  };
  const options = variants.map(({ name }) => [name, readableName(name)] as const);
  const kind = selectInput('Kind', options, select);
  select(variants[0]!.name);
  const clear = button(
    { class: 'plain' },
    () => refreshAfter(calls.run((client) => client.clearFaults())),
    'Clear all',
  );
  const rows = createRowList('No active faults.', clear);

  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listFaults());
    if (reply) rows.set(JSON.stringify(reply.faults), () => reply.faults.map(row));
  };
  const refreshAfter = (call: Promise<unknown>): void => void call.then(refresh);
  const row = (fault: SimFault): HTMLElement =>
    element(
      'li',
      {},
      icon('fault'),
      element('span', { class: 'grow' }, faultText(fault)),
      element('span', { class: 'sub' }, `triggered ${fault.acted}×`),
      button(
        { class: 'plain', 'aria-label': `Clear ${faultText(fault)}` },
        () => refreshAfter(calls.run((client) => client.clearFault({ fault_id: fault.id }))),
        'Clear',
      ),
    );
  const add = button(
    { class: 'primary' },
    () => refreshAfter(calls.run((client) => client.addFault(form.read() as AddFaultBody))),
    'Add fault',
  );
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Faults' },
    heading('Faults', clear).element,
    element('div', { class: 'simulation-line' }, kind.element, add),
    description,
    fields,
    ...rows.elements,
  );
  return { element: panel, update: () => undefined, refresh };
}

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
