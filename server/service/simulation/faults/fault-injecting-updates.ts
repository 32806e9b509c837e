import { Updates, type UpdatesParts } from '../../updates/updates.ts';
import type { FaultRules } from './fault-rules.ts';

interface UpdateFaults {
  readonly rules: FaultRules<null, 'fails'>;
  readonly onFailed: (message: string) => void;
}

/** Updates whose installation can fail. */
export class FaultInjectingUpdates extends Updates {
  private readonly faults: UpdateFaults;

  constructor(parts: UpdatesParts, faults: UpdateFaults) {
    super(parts);
    this.faults = faults;
  }

  protected override saveVersion(version: string): void {
    if (this.faults.rules.match(null) === null) super.saveVersion(version);
    else this.faults.onFailed(`Version ${version} was not installed; the previous version remains`);
  }
}
