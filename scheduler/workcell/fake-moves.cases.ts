/** A transporter and an arm that do what a test says, and record requests. Test code. */

import type { Toolpath } from '../../contract/types.generated.ts';
import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import { toolpathOf } from '../../server/robot/robot-harness.cases.ts';
import type { ToolpathPlan } from '../arm-port.ts';
import type { LabwareTransporter, MoveObserver, MoveOrder } from './labware-transporter.ts';

/** A transporter whose moves end when the test says so. */
export class FakeTransporter implements LabwareTransporter {
  isBusy = false;
  isReady = true;
  isAtRest = true;
  startFault: string | null = null;
  prepareFault: string | null = null;
  resumeFault: string | null = null;
  readonly calls: string[] = [];
  readonly orders: MoveOrder[] = [];
  readonly rests: { readonly isHolding: boolean }[] = [];
  observer: MoveObserver = {
    onPicked: () => {},
    onPlaced: () => {},
    onDone: () => {},
    onFailed: () => {},
  };

  start(order: MoveOrder, observer: MoveObserver): string | null {
    this.calls.push('start');
    this.orders.push(order);
    this.observer = observer;
    this.isBusy = this.startFault === null;
    return this.startFault;
  }

  update(): void {}

  pause(): void {
    this.calls.push('pause');
  }

  async prepareResume(rest: { readonly isHolding: boolean }): Promise<string | null> {
    this.rests.push(rest);
    return this.prepareFault;
  }

  resume(): string | null {
    this.calls.push('resume');
    return this.resumeFault;
  }

  cancel(): void {
    this.calls.push('cancel');
    this.isBusy = false;
  }

  losePower(): void {}

  detach(): void {}
}

interface LoadRequest {
  readonly name: string;
  readonly toolpath: Toolpath;
}

/** An arm whose programs come from `answer`; a text is the error of a plan that failed. */
export function loadingArm(
  answer: (request: LoadRequest) => LoadedToolpath | string = () => toolpathOf([]),
) {
  const requests: LoadRequest[] = [];
  return {
    requests,
    load: async (name: string, toolpath: Toolpath): Promise<ToolpathPlan> => {
      const request = { name, toolpath };
      requests.push(request);
      const loaded = answer(request);
      if (typeof loaded !== 'string') return { kind: 'built', loaded };
      return { kind: 'hard', error: loaded };
    },
  };
}
