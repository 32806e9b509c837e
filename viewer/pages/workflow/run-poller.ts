import type { PageParts } from '../../shell/page.ts';
import type { WorkflowActions } from './workflow-actions.ts';
import type { WorkflowState } from './workflow-state.ts';

/** Poll periods of an active and of an ended run. */
const ACTIVE_POLL_MS = 500;
const IDLE_POLL_MS = 3000;

/** Polls the run while the page is shown; one request at a time. */
export function createRunPoller(
  state: WorkflowState,
  actions: WorkflowActions,
  arm: PageParts['store'],
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function poll(): Promise<void> {
    if (arm.view().link === 'live' && !document.hidden) {
      await actions.refreshRun();
      if (state.mode.value === 'library') await actions.refreshLists();
    }
    const run = state.run.value;
    const busy = run !== null && run.state !== 'stopped';
    const sending = state.deliveries.value.some((one) => one.state === 'pending');
    if (timer !== undefined)
      timer = setTimeout(poll, busy || sending ? ACTIVE_POLL_MS : IDLE_POLL_MS);
  }
  return {
    start(): void {
      timer = setTimeout(poll, ACTIVE_POLL_MS);
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
