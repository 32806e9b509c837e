/** What an arm of servos has done about a contact, for the log, the status and the page. */

import type { ContactReactionReport } from '../../arm-driver.ts';

/** Nothing has pressed for so long: the contact is left (s). */
const QUIET_S = 0.3;
/** Something presses a held arm for so long: it gives way again (s). */
const PRESSED_S = 0.1;

/** What a tick of a release did. */
export interface ReleaseStep {
  /** Whether a joint still brakes, and whether something presses on one that does not. */
  readonly brakes: boolean;
  readonly pressed: boolean;
  /** Estimated force at the touching place (N). */
  readonly force_n: number;
  /** The joints that went back along their way and those that gave way, at most (rad, in all). */
  readonly retreated_rad: number;
  readonly yielded_rad: number;
}

type Report = { -readonly [Key in keyof ContactReactionReport]: ContactReactionReport[Key] };

export class ReleaseTally {
  readonly report: Report = {
    phase: 'braking',
    force_n: 0,
    peak_n: 0,
    retreated_rad: 0,
    yielded_rad: 0,
    relieved: 0,
  };
  private quiet_s = 0;
  private pressed_s = 0;

  begin(): void {
    Object.assign(this.report, { phase: 'braking', peak_n: 0, relieved: 0 });
    this.quiet_s = 0;
    this.pressed_s = 0;
  }

  /** Takes what `dt_s` of the release came to. */
  update({ brakes, pressed, ...step }: ReleaseStep, dt_s: number): void {
    const { report } = this;
    const goesBack = step.retreated_rad > report.retreated_rad;
    Object.assign(report, step);
    report.peak_n = Math.max(report.peak_n, step.force_n);
    this.quiet_s = pressed ? 0 : this.quiet_s + dt_s;
    this.pressed_s = pressed ? this.pressed_s + dt_s : 0;
    if (report.phase === 'holding') {
      if (this.pressed_s < PRESSED_S) return;
      report.relieved += 1;
    }
    if (brakes) report.phase = 'braking';
    else if (pressed) report.phase = goesBack ? 'retreating' : 'giving way';
    else if (this.quiet_s >= QUIET_S) report.phase = 'holding';
  }
}
