/**
 * A reference model of the robot's states and lock for the random test, written from §3 and the
 * decisions, independently of the product's tables. Test code.
 */

export type UserName = 'ada' | 'ben';
export type Outcome = 'done' | 'wrong_state' | 'lock' | 'toolpath_missing';

const LOCK_LONG_S = 300;
const LOCK_TEACH_S = 5;

interface RunOptions {
  readonly teach: boolean;
  readonly endless: boolean;
}

export class ReferenceRobot {
  state = 'ready';
  lock: UserName | null = null;
  lock_left_s = 0;
  loaded = false;
  estop = false;
  /** The current activity, or null. */
  work: { teach: boolean; endless: boolean } | null = null;
  private lastLoop = false;
  private interrupted = false;
  private hasFault = false;

  private restartLock(): void {
    this.lock_left_s = this.work?.teach ? LOCK_TEACH_S : LOCK_LONG_S;
  }

  private only(who: UserName, states: string[], act: () => void): Outcome {
    if (this.lock !== who) return 'lock';
    if (!states.includes(this.state)) return 'wrong_state';
    act();
    return 'done';
  }

  private endWork(): void {
    const teach = this.work?.teach;
    this.work = null;
    this.lastLoop = false;
    if (teach && this.lock) this.restartLock();
  }

  take(who: UserName): Outcome {
    if (this.lock) return 'lock';
    this.lock = who;
    this.restartLock();
    return 'done';
  }

  renew(who: UserName): Outcome {
    if (this.lock !== who) return 'lock';
    this.restartLock();
    return 'done';
  }

  release(who: UserName): Outcome {
    if (this.lock !== who) return 'lock';
    if (this.work?.teach) return 'wrong_state';
    this.lock = null;
    return 'done';
  }

  load(who: UserName): Outcome {
    return this.only(who, ['ready'], () => {
      this.loaded = true;
    });
  }

  unload(who: UserName): Outcome {
    return this.only(who, ['ready'], () => {
      this.loaded = false;
    });
  }

  start(who: UserName, what: 'run' | 'home' | 'go_to', mode: RunOptions): Outcome {
    const { teach, endless } = mode;
    const missing = what !== 'go_to' && !this.loaded;
    if (this.lock === who && this.state === 'ready' && missing) return 'toolpath_missing';
    return this.only(who, ['ready'], () => {
      this.state = 'running';
      this.work = { teach: teach || what === 'home', endless: endless && what === 'run' };
      this.restartLock();
    });
  }

  pause(who: UserName): Outcome {
    return this.only(who, ['running', 'stopping'], () => {
      this.lastLoop = this.state === 'stopping';
      this.state = 'paused';
    });
  }

  resume(who: UserName): Outcome {
    return this.only(who, ['paused'], () => {
      this.state = this.lastLoop ? 'stopping' : 'running';
    });
  }

  cancel(who: UserName): Outcome {
    return this.only(who, ['paused'], () => {
      this.state = 'ready';
      this.endWork();
    });
  }

  stopLoop(who: UserName): Outcome {
    return this.only(who, ['running'], () => {
      this.state = 'stopping';
    });
  }

  raiseFault(): void {
    this.hasFault = true;
    if (['disabled', 'updating', 'shutting_down', 'error'].includes(this.state)) return;
    this.state = 'error';
    this.endWork();
  }

  getWell(): void {
    this.hasFault = false;
  }

  resetErrors(who: UserName): Outcome {
    if (this.lock === who && this.state === 'error' && this.hasFault) return 'wrong_state';
    return this.only(who, ['error'], () => {
      this.state = 'ready';
    });
  }

  pressStop(): void {
    if (this.estop) return;
    this.estop = true;
    if (this.state === 'updating') return;
    this.interrupted = this.state === 'error' || this.work !== null;
    this.state = 'disabled';
    this.endWork();
  }

  releaseStop(): void {
    if (!this.estop) return;
    this.estop = false;
    if (this.state !== 'disabled') return;
    this.state = this.interrupted || this.hasFault ? 'error' : 'ready';
    this.interrupted = false;
  }

  press(): Outcome {
    if (this.state !== 'ready') return 'wrong_state';
    this.state = 'backdriving';
    return 'done';
  }

  releaseButton(): Outcome {
    if (this.state !== 'backdriving') return 'wrong_state';
    this.state = 'ready';
    return 'done';
  }

  /** A wait for standstill; true when the teach-mode motion was lost with its lock. */
  passShort(seconds: number): boolean {
    if (this.lock === null || seconds === 0) return false;
    this.lock_left_s -= seconds;
    if (this.lock_left_s > 0) return false;
    const teach = this.work?.teach === true;
    this.lock = null;
    if (!teach) return false;
    this.endWork();
    this.state = 'ready';
    return true;
  }

  /** Longer than every motion, shorter than the long lock expiry. */
  passLong(seconds: number): void {
    const lost = this.lock !== null && this.lock_left_s <= seconds;
    if (lost) {
      const teach = this.work?.teach === true;
      this.lock = null;
      if (teach) {
        this.endWork();
        this.state = 'ready';
      }
    }
    if (this.lock) this.lock_left_s -= seconds;
    const ends = this.state === 'stopping' || (this.state === 'running' && !this.work?.endless);
    if (ends) {
      this.state = 'ready';
      this.endWork();
    }
    if (this.hasFault) this.raiseFault();
  }
}
