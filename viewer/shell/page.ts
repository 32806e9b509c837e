/**
 * The interface of the pages other than the Live page. All pages share one frame and one scene.
 */

import type { ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { Stage } from '../scene/stage.ts';
import type { PosedToolpath } from '../toolpath/posed-toolpath.ts';
import type { Place } from '../ui/place.ts';
import type { CollisionSwitch } from './collision-switch.tsx';
import type { Rail } from './rail.tsx';
import type { SignIn } from './sign-in.tsx';

/** What a page receives. */
export interface PageParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  readonly stage: Stage;
  readonly rail: Rail;
  readonly signIn: SignIn;
  readonly collision: CollisionSwitch;
  /** The element that holds every page; its `data-page` names the shown page. */
  readonly frame: HTMLElement;
  readonly scene: HTMLElement;
  /** Must be called when what is on the screen of a page has changed. */
  readonly onPlace: () => void;
}

/** A page; it is created after its style sheets have loaded. */
export interface Page {
  enter(): void;
  leave(): void;
  /** Opens the text of a dropped file; without it, the Paths page opens the file. */
  openFile?(name: string, text: string): void;
  /** Opens a toolpath of the arm; without it, the Paths page opens the toolpath. */
  openToolpath?(head: ToolpathHead): void;
  /** What is on the screen, for its address; without it, the address names only the page. */
  place?(): Place;
  /** Opens what an address names. */
  openPlace?(place: Place): Promise<void>;
  /** The pose shown in place of the arm's pose, for the collision layer. */
  posed?(): PosedToolpath | null;
  /** State drawn by the page, for the end-to-end tests. */
  readonly drawn?: object;
}
