/**
 * Why the robot has stopped, for users who have no simulation control: the twin tells everybody its
 * state with its cause, and what the arm touched. Asked for while the robot is stopped.
 */

import { computed } from '@preact/signals';
import type { ArmCalls } from './arm-calls.ts';
import type { ArmStore } from './arm-store.ts';
import type { ArmView } from './arm-view.ts';
import { reuseIfEqual } from './reuse-if-equal.ts';

const POLL_MS = 1000;
const STOPPED: readonly (string | undefined)[] = ['error', 'collision', 'disabled'];

/** Whether the cause is asked for: the twin of an admin sends it, and an arm that is no twin has none. */
function isWanted({ link, sim, driver, snapshot }: ArmView): boolean {
  const isTwin = driver !== null && driver !== 'upstream';
  return link === 'live' && !sim && isTwin && STOPPED.includes(snapshot?.control.state);
}

/** Keeps `cause` of the store while the robot is stopped. */
export function followCause(store: ArmStore, calls: Pick<ArmCalls, 'call'>): void {
  let asking = false;
  async function read(): Promise<void> {
    if (!isWanted(store.view())) {
      if (store.view().cause) store.set({ cause: null });
      return;
    }
    if (asking) return;
    asking = true;
    const [status, contacts] = await Promise.all([
      calls.call((client) => client.getStatus()),
      calls.call((client) => client.listContacts()),
    ]);
    asking = false;
    // What the arm has left meanwhile has no cause any more.
    if (!status.ok || !isWanted(store.view())) return;
    const cause = { status: status.value, contacts: contacts.ok ? contacts.value : null };
    const before = store.view().cause;
    store.set({ cause: before ? reuseIfEqual(before, cause) : cause });
  }
  computed(() => isWanted(store.whole.value)).subscribe(() => void read());
  setInterval(() => void read(), POLL_MS);
}
