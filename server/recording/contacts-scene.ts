import type { SimContact } from '../../contract/types.generated.ts';
import { NO_ROTATION } from './foxglove-pose.ts';
import { sceneMessage } from './scene-message.ts';
import type { Stamp } from './stamp.ts';

const CONTACT_COLOR = { r: 0.9, g: 0.1, b: 0.1, a: 1 };
const CONTACT_SIZE_M = 0.03;

/** The contacts that last, each a ball where the bodies met. */
export function contactsMessage(contacts: readonly SimContact[], timestamp: Stamp): object {
  const size = { x: CONTACT_SIZE_M, y: CONTACT_SIZE_M, z: CONTACT_SIZE_M };
  const entities = contacts
    .filter(({ ended_s }) => ended_s === null)
    .map(({ id, body, obstacle, place, peak_force_n }) => ({
      id: `contact ${id}`,
      metadata: [
        { key: 'body', value: body },
        { key: 'obstacle', value: obstacle },
        { key: 'peak_force_n', value: peak_force_n.toFixed(1) },
      ],
      spheres: [
        { pose: { position: place, orientation: NO_ROTATION }, size, color: CONTACT_COLOR },
      ],
    }));
  return sceneMessage(entities, timestamp);
}
