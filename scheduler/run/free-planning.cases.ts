/** Turns for planning that nobody else wants, with the shares of the product. Test code. */
import { shares } from '../../contract/shares.ts';
import { FairQueue } from '../../server/shares/fair-queue.ts';
import { Share } from '../../server/shares/share.ts';

export function freePlanning(): FairQueue {
  const { workflow_plans, workflow_plan_queue } = shares;
  return new FairQueue(new Share(workflow_plans), new Share(workflow_plan_queue));
}
