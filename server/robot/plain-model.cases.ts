/**
 * The robot as a person would explain it in ten minutes, for the random test: states and lock only,
 * written from spec §3 and the decisions without a look at the tables of the product.
 */

export type Who = 'ada' | 'ben';
export type Outcome = 'done' | 'wrong_state' | 'lock' | 'toolpath_missing';

const LOCK_LONG_S = 300;
const LOCK_TEACH_S = 5;

export class PlainRobot {
  state = 'ready';
  lock: Who | null = null;
  lock_left_s = 0;
  loaded = false;
  estop = false;
  /** What is being done: null, or how it ends. */
  work: { teach: boolean; endless: boolean } | null = null;
  private lastLoop = false;
  private interrupted = false;
  private sick = false;

  private restartLock(): void {
    this.lock_left_s = this.work?.teach ? LOCK_TEACH_S : LOCK_LONG_S;
  }

  private only(who: Who, states: string[], act: () => void): Outcome {
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

  take(who: Who): Outcome {
    if (this.lock) return 'lock';
    this.lock = who;
    this.restartLock();
    return 'done';
  }

  renew(who: Who): Outcome {
    if (this.lock !== who) return 'lock';
    this.restartLock();
    return 'done';
  }

  release(who: Who): Outcome {
    if (this.lock !== who) return 'lock';
    if (this.work?.teach) return 'wrong_state';
    this.lock = null;
    return 'done';
  }

  load(who: Who): Outcome {
    return this.only(who, ['ready'], () => {
      this.loaded = true;
    });
  }

  start(who: Who, what: 'run' | 'home' | 'go_to', teach: boolean, endless: boolean): Outcome {
    const missing = what !== 'go_to' && !this.loaded;
    if (this.lock === who && this.state === 'ready' && missing) return 'toolpath_missing';
    return this.only(who, ['ready'], () => {
      this.state = 'running';
      this.work = { teach: teach || what === 'home', endless: endless && what === 'run' };
      this.restartLock();
    });
  }

  pause(who: Who): Outcome {
    return this.only(who, ['running', 'stopping'], () => {
      this.lastLoop = this.state === 'stopping';
      this.state = 'paused';
    });
  }

  resume(who: Who): Outcome {
    return this.only(who, ['paused'], () => {
      this.state = this.lastLoop ? 'stopping' : 'running';
    });
  }

  cancel(who: Who): Outcome {
    return this.only(who, ['paused'], () => {
      this.state = 'ready';
      this.endWork();
    });
  }

  stopLoop(who: Who): Outcome {
    return this.only(who, ['running'], () => {
      this.state = 'stopping';
    });
  }

  fallSick(): void {
    this.sick = true;
    if (['disabled', 'updating', 'shutting_down', 'error'].includes(this.state)) return;
    this.state = 'error';
    this.endWork();
  }

  getWell(): void {
    this.sick = false;
  }

  resetErrors(who: Who): Outcome {
    if (this.lock === who && this.state === 'error' && this.sick) return 'wrong_state';
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
    this.state = this.interrupted ? 'error' : 'ready';
    this.interrupted = false;
  }

  press(): Outcome {
    if (this.state !== 'ready') return 'wrong_state';
    this.state = 'backdriving';
    return 'done';
  }

  letGo(): Outcome {
    if (this.state !== 'backdriving') return 'wrong_state';
    this.state = 'ready';
    return 'done';
  }

  /** Long enough for every motion to end, short enough for the long lock to last. */
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
    if (this.sick) this.fallSick();
  }
}
