/**
 * A whole twin as one value: robot, world behind the joints, toolpaths, time; and, for resets of
 * this very twin, its people. Secrets never leave the twin: named states hold no people.
 */
import type { DisturbanceMemory } from '../../bridge/disturbed-arm.ts';
import type { SimFault, SimObstacle, Toolpath } from '../../contract/types.ts';
import type { Pace } from '../clock/clock.ts';
import type { RobotImage } from '../robot/image.ts';
import type { Records, TokenRecord, ToolpathRecord, UserRecord } from '../store/records.ts';
import type { InstallingUpdate } from '../updates/updates.ts';

/** Everything but the people. */
export interface TwinImage {
  /** Name of the driver: only one of the same name can be put back to this. */
  readonly driver: string;
  readonly tick: number;
  readonly robot: RobotImage;
  readonly world: Uint8Array;
  readonly disturbance: DisturbanceMemory;
  readonly obstacles: readonly SimObstacle[];
  readonly faults: readonly SimFault[];
  readonly update: InstallingUpdate | null;
  readonly name: string;
  readonly software_version: string;
  readonly library: LibraryImage;
}

export interface LibraryImage {
  readonly rows: readonly ToolpathRecord[];
  readonly bodies: readonly (readonly [number, Toolpath])[];
  readonly last_id: number;
}

export interface PeopleImage {
  readonly users: readonly UserRecord[];
  readonly tokens: readonly TokenRecord[];
  readonly last_ids: Readonly<Records['last_ids']>;
}

/** Who is known, with what proves who they are. */
export function takePeople({ users, tokens, last_ids }: Readonly<Records>): PeopleImage {
  return structuredClone({ users, tokens, last_ids });
}

/** The twin at its first moment. */
export interface Origin {
  readonly image: TwinImage;
  readonly people: PeopleImage;
  readonly pace: Pace;
  readonly paused: boolean;
}

/** Who puts the people back: that user, and the token of that session, stay whatever happens. */
export interface Keeper {
  readonly user_id: number;
  readonly token_id: number;
}

/** Puts the people back into a draft of the records: all, or all but the keeper. */
export function restorePeople(draft: Records, image: PeopleImage, keeper: Keeper | null): void {
  const { users, tokens, last_ids } = structuredClone(image);
  const known = users.find(({ id }) => id === keeper?.user_id);
  const now = draft.users.find(({ id }) => id === keeper?.user_id);
  if (now && known?.role !== 'admin') {
    draft.users = [...users.filter(({ id }) => id !== keeper?.user_id), now];
  } else draft.users = [...users];
  const token = draft.tokens.find(({ id }) => id === keeper?.token_id);
  const lost = token && !tokens.some(({ id }) => id === token.id);
  draft.tokens = lost ? [...tokens, token] : [...tokens];
  draft.last_ids.user = Math.max(last_ids.user, ...draft.users.map(({ id }) => id));
  draft.last_ids.token = Math.max(last_ids.token, ...draft.tokens.map(({ id }) => id));
}
