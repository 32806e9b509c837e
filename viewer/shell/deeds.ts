/** What a new user has done: what the hints of a first visit ask for. */

import { computed } from '@preact/signals';
import type { ArmStore } from '../link/arm-store.ts';
import { isMotionActive } from '../link/arm-view.ts';
import type { Stage } from '../scene/stage.ts';
import { onChange } from '../ui/view-store.ts';

/** The arm moves, the camera was moved, the explanations were used, the Teach page is open. */
export type Deed = 'moved' | 'looked' | 'asked' | 'taught';

export interface DeedsParts {
  readonly store: ArmStore;
  readonly stage: Stage;
  /** The frame of the pages; `data-page` names the one that is shown. */
  readonly frame: HTMLElement;
}

/** Calls back when a deed is done; `isDone` says whether one that lasts is done now. */
export function followDeeds({ store, stage, frame }: DeedsParts, onDeed: (deed: Deed) => void) {
  const isMoving = computed(() => isMotionActive(store.shown.snapshot.value));
  onChange(isMoving, (isNow) => isNow && onDeed('moved'));
  let from = '';
  const eye = () =>
    stage
      .viewpoint()
      .map((value) => value.toFixed(3))
      .join();
  stage.element.addEventListener('pointerdown', () => {
    from = eye();
  });
  addEventListener('pointerup', () => {
    if (from !== '' && eye() !== from) onDeed('looked');
    from = '';
  });
  stage.element.addEventListener('wheel', () => onDeed('looked'), { passive: true });
  frame.addEventListener('click', ({ target }) => {
    const isIn = (selector: string) => target instanceof Element && target.closest(selector);
    if (isIn('.view-bar .corner')) onDeed('looked');
    if (isIn('.explain, .explain-panel')) onDeed('asked');
  });
  const isTeaching = () => frame.dataset['page'] === 'teach';
  new MutationObserver(() => {
    if (isTeaching()) onDeed('taught');
  }).observe(frame, { attributeFilter: ['data-page'] });
  return {
    isDone: (deed: Deed): boolean =>
      (deed === 'moved' && isMoving.value) || (deed === 'taught' && isTeaching()),
  };
}
