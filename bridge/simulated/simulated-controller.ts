/**
 * The state that the driver and the world of a simulated arm share: the plant, and what the
 * controller of a real arm adds to its joints.
 */

import assert from 'node:assert';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import type { Load } from '../../physics/dynamics/load.ts';
import type { Plant } from '../../physics/plant/plant.ts';
import { Brakes } from './brakes.ts';
import { ContactDetector } from './contact-detector.ts';
import { ContactLog } from './contact-log.ts';
import { MeasuredArm } from './measured-arm.ts';
import { SimulatedFaults } from './simulated-faults.ts';

export class SimulatedController {
  plant: Plant | null = null;
  /** Plant steps since start. */
  steps = 0;
  motorsOff = false;
  /** The real load where it is not the one that the control expects. */
  load: Load | null = null;
  cell: CellPlant | null = null;
  readonly brakes = new Brakes();
  readonly faults = new SimulatedFaults();
  readonly contacts = new ContactDetector();
  readonly contactLog = new ContactLog();
  readonly measured: MeasuredArm;
  constructor(seed: number) {
    this.measured = new MeasuredArm(seed);
  }

  /** The plant of a started arm. */
  get startedPlant(): Plant {
    assert(this.plant, 'the simulated arm is not started: await start() first');
    return this.plant;
  }

  /** Opens the brakes, so that the plant is computed again. */
  wake(): void {
    this.brakes.open(this.startedPlant);
  }
}
