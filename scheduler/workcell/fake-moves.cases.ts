/** A transporter and a planner that do what a test says, and record requests. Test code. */

import type { LoadRequest, Planner } from '../../server/planning/planner.ts';
import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import { toolpathOf } from '../../server/robot/robot-harness.cases.ts';
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

/** A planner whose programs come from `answer`; a text is the error of a plan that failed. */
export function plannerOf(
  answer: (request: LoadRequest) => LoadedToolpath | string = () => toolpathOf([]),
): Planner & { readonly requests: LoadRequest[] } {
  const requests: LoadRequest[] = [];
  const unused = () => {
    throw new Error('a test asks only for programs');
  };
  return {
    requests,
    load: async (request) => {
      requests.push(request);
      const loaded = answer(request);
      if (typeof loaded !== 'string') return { kind: 'built', loaded };
      return { kind: 'hard', error: loaded, code: 'reach_limit', path: '' };
    },
    build: unused,
    taskOf: unused,
    goTo: unused,
    resume: unused,
    close: async () => {},
  };
}
