/** What the panels of the Teach page share: target pose, toolpath, settings, and motion of the arm. */
import { computed, type Signal, signal } from '@preact/signals';
import type { Joints, Toolpath } from '../../../contract/types.generated.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { lockedByOtherText } from '../../link/lock-holder.ts';
import { workflowHoldText } from '../../shell/motion-reasons.ts';
import type { PageParts } from '../../shell/page.ts';
import type { PageView } from '../../shell/page-view.ts';
import type { NewerPanelParts } from '../../toolpath/newer-panel.tsx';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { steady } from '../../ui/steady.ts';
import { onChange } from '../../ui/view-store.ts';
import { syncTargetWithCursor } from './cursor-target.ts';
import { createEditActions } from './edit-actions.ts';
import { TargetPose } from './target-pose.ts';
import { type MotionOptions, TeachMotion } from './teach-motion.ts';
import { createTeachSettings } from './teach-settings.ts';

/** Where the ghost stands until the pose of the arm is known. */
const ZERO_POSE: Joints = [0, 0, 0, 0, 0, 0];

/** Joint angles (rad) of the arm; null while unknown. */
function currentJoints({ snapshot }: ArmView): Joints | null {
  return snapshot?.['servos.telemetry.position'] ?? null;
}

/** Why the arm cannot be moved now; empty if it can. */
function motionBlockedReason(view: ArmView): string {
  const { link, snapshot, workflow } = view;
  if (link !== 'live' || !snapshot) return 'The arm is not connected';
  if (lockedByOtherText(view)) return lockedByOtherText(view);
  if (workflow) return workflowHoldText(workflow);
  const { state } = snapshot.control;
  return state === 'ready' ? '' : `The arm is ${state.replace('_', ' ')}`;
}

/** The zone whose form is shown, and whether its first field is to have the focus. */
export interface OpenedZone {
  readonly index: number;
  readonly isFocused: boolean;
}

/** The part of PageParts that the page needs; the demo has no more. */
export type TeachParts = Pick<
  PageParts,
  'store' | 'calls' | 'commands' | 'stage' | 'frame' | 'scene' | 'onPlace'
>;

interface ContextParts extends TeachParts {
  readonly editor: ToolpathEditor;
  readonly page: PageView;
  /** Draws a path beside that of the toolpath; null removes it. */
  readonly draw: NewerPanelParts['draw'];
}

/** Creates it. */
export function createTeachContext(parts: ContextParts) {
  const { store: arm, calls, commands, editor, page, draw } = parts;
  const store = new ToolpathStore();
  const library = new ToolpathLibrary({ ...parts, store, arm });
  const target = new TargetPose(currentJoints(arm.view()) ?? ZERO_POSE);
  const settings = createTeachSettings();
  const motionOptions = (): MotionOptions => {
    const metadata = (store.view().opened ?? arm.view().loaded)?.toolpath.metadata;
    const { tcp_config, avoidance_zones } = metadata ?? {};
    return { ...(tcp_config && { tcp_config }), ...(avoidance_zones && { avoidance_zones }) };
  };
  const motion = new TeachMotion({
    ...{ arm, calls, commands, settings, motionOptions },
    range: () => target.range,
  });
  const targetJoints = () => target.view().joints;
  const actions = createEditActions({ store, editor, library, arm, targetJoints });
  const environment = [
    computed(() => store.shown.opened.value?.toolpath.metadata),
    computed(() => arm.shown.sim.value?.jointRange),
    arm.shown.loaded,
  ];
  computed(() => environment.map(({ value }) => value)).subscribe(() => {
    target.setEnvironment({ ...motionOptions(), range: arm.view().sim?.jointRange });
  });
  onChange(arm.shown.snapshot, () => {
    const joints = currentJoints(arm.view());
    if (joints) target.follow(joints);
  });
  syncTargetWithCursor(store, target);
  const attach = () => target.attach(currentJoints(arm.view()) ?? targetJoints());
  async function moveHere(): Promise<void> {
    const { detached, valid, joints } = target.view();
    if (detached && valid && !motionBlockedReason(arm.view()) && (await motion.goTo(joints)))
      attach();
  }
  const jogged = computed(() =>
    settings.jogTarget.value === 'arm' ? currentJoints(page.arm.value) : target.view().joints,
  );
  const zone: Signal<OpenedZone | null> = signal(null);
  return {
    ...{ store, arm, editor, library, target, settings, motion, actions, draw, zone },
    ...{ targetJoints, attach, moveHere, motionOptions },
    /** The view of the robot; it stands still while the page is not shown. */
    robot: page.arm,
    /** Why the arm cannot be moved now; empty if it can. */
    blocked: computed(() => motionBlockedReason(page.arm.value)),
    /** Joint angles of what is jogged, for text (rad); null while they are not known. */
    jogged: steady(jogged),
    /** Whether there are edits that the arm does not have. */
    unsaved: () => editor.unsaved,
    apply(toolpath: Toolpath): void {
      editor.settle();
      editor.change((_, selected) => ({ toolpath, selected }));
    },
  };
}

export type TeachContext = ReturnType<typeof createTeachContext>;

/** What a panel of the page receives. */
export interface TeachProps {
  readonly context: TeachContext;
}
