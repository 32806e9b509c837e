import type { LabwareTransporter, MoveObserver, MoveOrder } from './labware-transporter.ts';

/** The arm of a workcell, which the runs on it share. */
export interface SharedArm {
  readonly transporter: LabwareTransporter;
  /** The share that moves, or moved last; null before the first move. */
  owner: object | null;
}

/** The arm of a shared workcell for one run: it observes and stops only its own moves. */
export class ArmShare implements LabwareTransporter {
  private readonly arm: SharedArm;

  constructor(arm: SharedArm) {
    this.arm = arm;
  }

  private get isOwner(): boolean {
    return this.arm.owner === this;
  }

  get isBusy(): boolean {
    return this.isOwner && this.arm.transporter.isBusy;
  }

  get isReady(): boolean {
    const { transporter } = this.arm;
    return transporter.isReady && (this.isOwner || !transporter.isBusy);
  }

  start(order: MoveOrder, observer: MoveObserver): string | null {
    const { transporter } = this.arm;
    if (!this.isOwner && transporter.isBusy) return 'the arm moves labware of another run';
    this.arm.owner = this;
    return transporter.start(order, observer);
  }

  update(): void {
    if (this.isOwner) this.arm.transporter.update();
  }

  pause(): void {
    if (this.isOwner) this.arm.transporter.pause();
  }

  async prepareResume(rest: { readonly isHolding: boolean }): Promise<string | null> {
    const { transporter } = this.arm;
    return this.isOwner || !transporter.isBusy ? transporter.prepareResume(rest) : null;
  }

  resume(): string | null {
    return this.isOwner ? this.arm.transporter.resume() : null;
  }

  get isAtRest(): boolean {
    return !this.isOwner || this.arm.transporter.isAtRest;
  }

  cancel(): void {
    if (this.isOwner) this.arm.transporter.cancel();
  }

  losePower(): void {
    if (this.isOwner) this.arm.transporter.losePower();
  }

  detach(): void {
    this.arm.transporter.detach();
  }
}
