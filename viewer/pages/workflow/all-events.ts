import type { ArmClient } from '../../../contract/client.ts';
import type { RunEvent, RunEventsReply } from '../../../contract/types.generated.ts';

/** All events of a run, from all pages of the reply. */
export async function allEvents(client: ArmClient, run_id: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: RunEventsReply = await client.listRunEvents({ run_id }, { after });
    events.push(...page.events);
    after = page.next;
  }
  return events;
}
