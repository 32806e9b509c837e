/** The thread on which a rehearsal runs beside this one; it starts with the first. */
import { Piscina } from 'piscina';
import { threadFile } from '../../threads/thread-file.ts';
import type { PlantOutcome, PlantTask } from './plant-rehearsal.ts';

export class RehearsePool {
  private pool: Piscina | null = null;

  run(task: PlantTask): Promise<PlantOutcome> {
    const file = threadFile(import.meta.url, '../../rehearse-worker');
    this.pool ??= new Piscina({ ...file, niceIncrement: 0, minThreads: 1, maxThreads: 1 });
    return this.pool.run(task) as Promise<PlantOutcome>;
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }
}
