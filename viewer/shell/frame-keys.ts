/** The keys of the frame: motion, lock, view, capsules and panels. */
import type { Commands } from '../link/commands.ts';
import { isTyped } from '../ui/page-key.ts';
import type { CollisionSwitch } from './collision-switch.tsx';
import type { Motion } from './motion-bar.tsx';
import type { ViewBar } from './view-bar.tsx';

interface FrameKeyParts {
  readonly motion: Motion;
  readonly views: ViewBar;
  readonly commands: Commands;
  readonly collision: CollisionSwitch;
  /** The button of the panels in a narrow window. */
  readonly drawer: HTMLElement;
}

/** Creates the handler of the keys that every page has; keys typed into a field are not taken. */
export function createFrameKeys({
  motion,
  views,
  commands,
  collision,
  drawer,
}: FrameKeyParts): (event: KeyboardEvent) => void {
  return (event) => {
    if (isTyped(event)) return;
    const key = event.shiftKey ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();
    if (key === 'p') motion.press('pause');
    else if (key === 'Shift+R') {
      motion.press('run');
      motion.press('resume');
    } else if (key === 'Shift+ESCAPE') motion.press('cancel');
    else if (key === 'l') void commands.acquireLock();
    else if (key === 'f') views.show('start');
    else if (key === 'c') collision.toggleCapsules();
    else if (key === 'i') drawer.click();
  };
}
