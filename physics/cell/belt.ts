import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import type { BeltModel } from './cell-model.ts';
import { scaled } from './signal-level.ts';

/** A belt: whether it runs, and how far its surface went. */
export class Belt {
  readonly model: BeltModel;
  isRunning: boolean;
  isBroken = false;
  /** Plant steps for which it ran: whole steps, so that long and short advances add up alike. */
  steps = 0;

  constructor(model: BeltModel) {
    this.model = model;
    this.isRunning = model.output === null;
  }

  command(outputs: Readonly<Record<string, unknown>>): void {
    const { output, runsOn } = this.model;
    this.isRunning = !this.isBroken && (output === null || outputs[output] === runsOn);
  }

  /** How far the surface went (m). */
  get travel_m(): number {
    return this.steps * PLANT_STEP_S * this.model.speed_m_s;
  }

  get level(): number | null {
    const { encoder } = this.model;
    if (!encoder) return null;
    const turns = this.travel_m / encoder.span_m;
    return scaled(encoder, turns - Math.floor(turns));
  }
}
