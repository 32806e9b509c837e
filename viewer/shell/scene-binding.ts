/** What the scene shows of the live view: the tool and zones of the loaded toolpath, and the LED. */

import { computed } from '@preact/signals';
import { createTool } from '../../physics/kinematics/tool.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';
import type { HeadLight } from '../scene/head-light.ts';
import type { Stage } from '../scene/stage.ts';
import { waypointTips } from '../scene/waypoint-tips.ts';
import { afterLayout } from '../ui/animation-frame.ts';
import { onChange } from '../ui/view-store.ts';

/** Delay after which the first pose has been drawn. */
const FIRST_VIEW_MS = 200;

/** Colour of the head's LED, as on the real arm: white idle, green running, yellow fault. */
function headLightOf(link: ArmView['link'], snapshot: ArmView['snapshot']): HeadLight {
  switch (link === 'live' ? snapshot?.control.state : undefined) {
    case undefined:
    case 'disabled':
    case 'shutting_down':
      return 'off';
    case 'running':
    case 'stopping':
    case 'backdriving':
      return 'green';
    case 'error':
    case 'collision':
      return 'yellow';
    default:
      return 'white';
  }
}

/** Updates tool, zones, LED and camera of the scene from the store. */
export function bindScene(store: ArmStore, stage: Stage): void {
  let firstHash = '';
  // On a busy machine the timer comes before the layout without what was over the scene.
  const frameCamera = () => setTimeout(() => afterLayout(() => stage.frame()), FIRST_VIEW_MS);
  const fitCamera = () => setTimeout(() => afterLayout(() => stage.reframe()), FIRST_VIEW_MS);
  const { loaded, link, snapshot } = store.shown;
  // Behind the sign-in dialog the whole arm is seen too.
  onChange(
    computed(() => link.value === 'signed-out'),
    (isSignedOut) => isSignedOut && frameCamera(),
  );
  // Frame the camera on the first pose, and again when the tool of that pose has loaded.
  onChange(
    computed(() => snapshot.value !== null),
    () => {
      firstHash = store.view().snapshot?.control.toolpath_hash ?? '';
      frameCamera();
    },
  );
  onChange(loaded, (now, before) => {
    stage.setTool(createTool(now?.toolpath.metadata.tcp_config));
    stage.setZones(now?.toolpath.metadata.avoidance_zones ?? []);
    stage.setExtent(now ? waypointTips(now.toolpath) : []);
    if (now && !before && now.hash === firstHash) frameCamera();
    else fitCamera();
  });
  onChange(
    computed(() => headLightOf(link.value, snapshot.value)),
    (light) => stage.setLight(light),
  );
}
