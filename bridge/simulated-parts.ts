/**
 * What the driver and the world of a simulated arm share: the plant and what a real arm's
 * controller has beside its joints. It stands apart so that neither imports the other.
 */
import assert from 'node:assert';
import type { Plant } from '../physics/plant/plant.ts';
import { Brakes } from './brakes.ts';
import { ContactWatch } from './contact-watch.ts';
import { FaultBoard } from './fault-board.ts';

export class SimulatedArmParts {
  plant: Plant | null = null;
  /** Plant steps since start. */
  steps = 0;
  motorsOff = false;
  readonly brakes = new Brakes();
  readonly faults = new FaultBoard();
  readonly contacts = new ContactWatch();

  /** The plant; a call before start is a programmer's mistake. */
  get started(): Plant {
    assert(this.plant, 'the simulated arm is not started');
    return this.plant;
  }

  /** Something happens to the arm: it has to be computed again. */
  wake(): void {
    this.brakes.open(this.started);
  }
}
