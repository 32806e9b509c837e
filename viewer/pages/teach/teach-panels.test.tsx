import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ArmStore } from '../../link/arm-store.ts';
import { SNAPSHOT } from '../../link/snapshot.cases.ts';
import { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import { draw } from '../../ui/drawn.cases.ts';
import { EditPanel } from './edit-panel.tsx';
import { Gizmo } from './gizmo.ts';
import { GizmoHandles } from './gizmo-handles.tsx';
import { JogPanel } from './jog-panel.tsx';
import { TargetBar } from './target-bar.tsx';
import { createTeachContext, type TeachParts } from './teach-context.ts';
import { ZonesPanel } from './zones-panel.tsx';

/** A worker that builds nothing. */
class IdleWorker extends EventTarget {
  postMessage(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', IdleWorker);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});
afterEach(() => vi.unstubAllGlobals());

/** The panels of the page at an arm that is ready, with a new toolpath. */
async function drawTeach() {
  const store = new ArmStore();
  store.set({ link: 'live', isListed: true, snapshot: SNAPSHOT });
  const parts = { store, calls: {}, commands: {} } as object as TeachParts;
  const editor = new ToolpathEditor();
  const arm = signal(store.view());
  const page = { arm, isShown: signal(true), enter() {}, leave() {} };
  const context = createTeachContext({ ...parts, editor, page, draw: () => undefined });
  editor.enter(context.store);
  const gizmo = new Gizmo(context.target, context.settings);
  const drawn = draw(
    <>
      <EditPanel context={context} />
      <TargetBar context={context} />
      <JogPanel context={context} />
      <ZonesPanel context={context} />
      <GizmoHandles gizmo={gizmo} />
    </>,
  );
  await act(() => editor.openNew());
  /** What a field says that is named like this. */
  const value = (label: string) =>
    (drawn.find(`[aria-label="${label}"]`) as HTMLInputElement).value;
  async function enter(label: string, text: string): Promise<void> {
    (drawn.find(`[aria-label="${label}"]`) as HTMLInputElement).value = text;
    await drawn.fire(`[aria-label="${label}"]`, 'input');
    await drawn.fire(`[aria-label="${label}"]`, 'change');
  }
  return { ...drawn, context, editor, arm, value, enter };
}

describe('jogging the ghost', () => {
  it('takes typed angles, and shows where the tool is then', async () => {
    const { value, enter, context, find } = await drawTeach();
    const height = value('Tool Z (mm)');
    await enter('Joint 2 (°)', '20');
    await vi.waitFor(() => expect(value('Joint 2 (°)')).toBe('20.00'));
    expect(context.target.view().joints[1]).toBeCloseTo((20 * Math.PI) / 180, 12);
    expect(value('Tool Z (mm)')).not.toBe(height);
    expect(find('.target-actions [role=status]').textContent).toBe('Ghost detached from the arm');
  });

  it('says why a pose cannot be', async () => {
    const { enter, find } = await drawTeach();
    await enter('Joint 3 (°)', '-179.5');
    expect(find('.target-problem code').textContent).toBe('j2_boundary_limit');
    expect(find('.target-problem').hasAttribute('hidden')).toBe(false);
  });

  it('steps by a button, in steps that are chosen', async () => {
    const { fire, value } = await drawTeach();
    await fire('[aria-label=Step] .chip[data-value="5"]', 'click');
    // As a screen reader presses it.
    await fire('[aria-label="Joint 1 more"]', 'click', { detail: 0 });
    await vi.waitFor(() => expect(value('Joint 1 (°)')).toBe('5.00'));
  });

  it('is off for the arm with the reason while it cannot move', async () => {
    const { fire, find, arm } = await drawTeach();
    await fire('[aria-label="Buttons move"] .chip[data-value="arm"]', 'click');
    expect(find('.jog-note').textContent).toBe('Buttons move the arm');
    expect(find('.jog-body').hasAttribute('disabled')).toBe(false);
    await act(() => {
      arm.value = { ...arm.value, link: 'stale' };
    });
    expect(find('.jog-note').textContent).toBe('The arm is not connected');
    expect(find('.jog-body').hasAttribute('disabled')).toBe(true);
  });
});

describe('editing', () => {
  it('renames the toolpath as it is typed, in one step of undo', async () => {
    const { find, fire, editor, value } = await drawTeach();
    const name = 'Name of the toolpath';
    for (const text of ['R', 'Ri', 'Rinse']) {
      (find(`[aria-label="${name}"]`) as HTMLInputElement).value = text;
      await fire(`[aria-label="${name}"]`, 'input');
    }
    await fire(`[aria-label="${name}"]`, 'blur');
    expect(value(name)).toBe('Rinse');
    await fire('[aria-label="Undo (Ctrl Z)"]', 'click');
    expect([value(name), editor.canRedo]).toEqual(['New toolpath', true]);
  });

  it('sets a value of the whole toolpath, and marks one that cannot be', async () => {
    const { editor, find, fire } = await drawTeach();
    const speed = () => find('[aria-label="Default speed mm/s"]') as HTMLInputElement;
    speed().value = '250';
    await fire('[aria-label="Default speed mm/s"]', 'input');
    expect(editor.toolpath?.metadata.default_max_speed).toBe(0.25);
    speed().value = '-1';
    await fire('[aria-label="Default speed mm/s"]', 'input');
    expect(editor.toolpath?.metadata.default_max_speed).toBe(0.25);
    expect(speed().getAttribute('aria-invalid')).toBe('true');
    await fire('[aria-label="Default speed mm/s"]', 'blur');
    expect([speed().value, speed().getAttribute('aria-invalid')]).toEqual(['250', null]);
  });

  it('adds a waypoint at the ghost, which then has a form', async () => {
    const { fire, find, editor } = await drawTeach();
    await fire('.program-actions .wide', 'click');
    expect(editor.toolpath?.waypoints).toHaveLength(1);
    expect(find('[aria-label=Waypoint] .end').textContent).not.toBe('');
  });
});
