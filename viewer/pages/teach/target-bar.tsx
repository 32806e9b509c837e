/**
 * Bar over the scene, under the gizmo: the reason why the ghost cannot go to a pose, and buttons to
 * move the arm to the ghost or the ghost back to the arm.
 */
import { Button } from '../../ui/buttons.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import type { TeachProps } from './teach-context.ts';
import { oneOf } from './teach-settings.ts';

const FRAMES = [
  ['base', 'Base'],
  ['tool', 'Tool'],
] as const;

/** The bar of the ghost. */
export function TargetBar({ context }: TeachProps) {
  const { target, settings, blocked, moveHere, attach } = context;
  const isDetached = target.detached.value;
  const problem = target.problem.value;
  const isMovable = isDetached && target.valid.value && blocked.value === '';
  return (
    <section class="glass target-bar" aria-label="Ghost" data-of="teach">
      <div class="target-problem" role="alert" hidden={problem === null}>
        <Icon name="warn" />
        <p>{problem?.message}</p>
        <code>{problem?.code}</code>
      </div>
      <div class="target-actions">
        <Chips label="Frame" options={FRAMES} {...oneOf(settings.frame)} />
        <span class="sub" role="status">
          {isDetached ? 'Ghost detached from the arm' : 'Ghost at the arm'}
        </span>
        <Button disabled={!isDetached} onClick={attach}>
          Back to the arm
        </Button>
        <Button
          class="primary"
          disabled={!isMovable}
          title={blocked.value || 'Moves the arm to the ghost (Shift M)'}
          onClick={() => void moveHere()}
        >
          <Icon name="play" />
          Move here
        </Button>
      </div>
    </section>
  );
}
