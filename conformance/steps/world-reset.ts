import type { Actor } from '../actor.ts';

/** Runs `work`, which may change robot and world, and restores both. */
export async function thenReset(admin: Actor, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await admin.does('resetTwin', { scopes: ['state', 'obstacles'] });
  }
}
