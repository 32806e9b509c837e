/** What the scene shows of the live view: the tool and zones of the loaded toolpath, and the LED. */
import { createTool } from '../../physics/kinematics/tool.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { ArmView } from '../link/arm-view.ts';
import type { HeadLight } from '../scene/head-light.ts';
import type { Stage } from '../scene/stage.ts';
import { waypointTips } from '../scene/waypoint-tips.ts';
import { afterLayout } from '../ui/animation-frame.ts';

/** Delay after which the first pose has been drawn. */
const FIRST_VIEW_MS = 200;

/** Colour of the head's LED, as on the real arm: white idle, green running, yellow fault. */
function headLightOf(view: ArmView): HeadLight {
  switch (view.link === 'live' ? view.snapshot?.control.state : undefined) {
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
  store.subscribe((view, before) => {
    if (view.loaded !== before.loaded) {
      stage.setTool(createTool(view.loaded?.toolpath.metadata.tcp_config));
      stage.setZones(view.loaded?.toolpath.metadata.avoidance_zones ?? []);
      stage.setExtent(view.loaded ? waypointTips(view.loaded.toolpath) : []);
    }
    // Behind the sign-in dialog the whole arm is seen too.
    if (view.link === 'signed-out' && before.link !== 'signed-out') frameCamera();
    // Frame the camera on the first pose, and again when the tool of that pose has loaded.
    if (view.snapshot && !before.snapshot) {
      firstHash = view.snapshot.control.toolpath_hash;
      frameCamera();
    }
    if (view.loaded && !before.loaded && view.loaded.hash === firstHash) frameCamera();
    else if (view.loaded !== before.loaded) fitCamera();
    if (headLightOf(view) !== headLightOf(before)) stage.setLight(headLightOf(view));
  });
}
