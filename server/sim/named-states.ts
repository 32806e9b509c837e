/**
 * States of the whole twin under names, a few at a time, and as files. A file says its own
 * fingerprint: one that was damaged on its way is refused before anything is put back.
 */
import { createHash } from 'node:crypto';
import { limits } from '../../contract/limits.ts';
import type { NamedState, StateFile } from '../../contract/types.ts';
import { decodePlain, encodePlain } from '../recording/plain-data.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';
import type { TwinImage } from './twin-image.ts';

function fingerprint(data: string): string {
  return createHash('sha256').update(data).digest('hex');
}

function shown(name: string, { tick, robot }: TwinImage): NamedState {
  return { name, tick, state: robot.memory.state };
}

export class NamedStates {
  private readonly driver: string;
  private readonly images = new Map<string, TwinImage>();

  constructor(driver: string) {
    this.driver = driver;
  }

  list(): readonly NamedState[] {
    return [...this.images].map(([name, image]) => shown(name, image));
  }

  /** Keeps an image under a name, in place of one of the same name. */
  keep(name: string, image: TwinImage): NamedState | Refusal {
    if (!this.images.has(name) && this.images.size >= limits.kept_states) {
      return refuse('invalid_arguments', `There may be ${limits.kept_states} kept states at most`);
    }
    this.images.set(name, image);
    return shown(name, image);
  }

  find(name: string): TwinImage | Refusal {
    return this.images.get(name) ?? refuse('not_found', `There is no kept state “${name}”`);
  }

  /** A kept state as a file. */
  export(name: string): StateFile | Refusal {
    const image = this.find(name);
    if ('refused' in image) return image;
    const data = encodePlain(image);
    return { format: 1, name, sha256: fingerprint(data), data };
  }

  /** Takes a file in as a kept state. */
  import({ name, sha256, data }: StateFile): NamedState | Refusal {
    if (fingerprint(data) !== sha256) {
      const problem = 'is damaged: its data does not have the fingerprint that it names';
      return refuse('invalid_arguments', [{ path: '/data', problem }]);
    }
    const image = decodePlain(data) as TwinImage;
    if (image.driver !== this.driver) {
      const problem = `is a state of the driver ${image.driver}; this twin has ${this.driver}`;
      return refuse('invalid_arguments', [{ path: '/data', problem }]);
    }
    return this.keep(name, image);
  }

  clear(): void {
    this.images.clear();
  }
}
