/** What the simulation API tells of the arm, where there is one and the token may ask. */
import { type ArmClient, ArmError } from '../../../contract/client.ts';
import type { SimStatus } from '../../../contract/types.generated.ts';

/** The statuses of calls that this arm has not, or that the token may not make. */
const NOT_THERE: readonly number[] = [403, 404, 501];

/** What a call gives, or null where it is not there. */
export async function ifThere<Reply>(call: Promise<Reply>): Promise<Reply | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ArmError && NOT_THERE.includes(error.status)) return null;
    throw error;
  }
}

/** The state with its cause and activity; null where it is not told. */
export const statusOf = (arm: ArmClient): Promise<SimStatus | null> => ifThere(arm.getStatus());
