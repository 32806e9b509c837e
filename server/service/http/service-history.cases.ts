/**
 * A history checker for the whole service, in the manner of Jepsen: clients act on a process that
 * is killed, stopped, challenged by another instance, or whose disk is full, and contend for its
 * lock. After each start they compare the service with what they were answered. Test code.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RoundResult } from '../../rounds.cases.ts';
import { seeded } from '../../store/store-history.cases.ts';
import { openReceiver, type Receiver } from '../../webhooks/receiver.cases.ts';
import { LockClients } from './service-lock.cases.ts';
import { ServiceModel } from './service-model.cases.ts';
import {
  adminCalls,
  challenge,
  PROGRAM,
  type ServiceFiles,
  type ServiceProcess,
  startService,
} from './service-process.cases.ts';

/** Most acknowledged calls of a life before its fate. */
const LONGEST_LIFE = 80;

class ServiceHistory {
  readonly model: ServiceModel;
  readonly counts = { runs: 0, locks: 0, 'full disks': 0 };
  private readonly lock: LockClients;
  private readonly files: ServiceFiles;
  private readonly draw: () => number;

  constructor(files: ServiceFiles, seed: number, receiver: Receiver) {
    this.files = files;
    this.draw = seeded(seed);
    this.model = new ServiceModel(this.draw, receiver);
    this.lock = new LockClients(this.model.violations, this.draw);
  }

  /** One life of the process; ends with a kill. */
  async round(): Promise<void> {
    const service = await startService(this.files, this.draw() < 0.5 ? 'write' : 'sync');
    const { child, url } = service;
    const call = await adminCalls(url);
    await this.model.check(call);
    let isOver = false;
    const clients = Array.from({ length: 6 }, async () => {
      while (!isOver) await this.model.act(call);
    });
    clients.push(this.lock.contend({ url, call, isOver: () => isOver }));
    await this.acknowledgements(1 + this.draw() * LONGEST_LIFE);
    const fate = this.draw();
    if (fate < 0.1) await this.competitor(service);
    else if (fate < 0.45) await this.fullDisk(service);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    isOver = true;
    await Promise.all([...clients, ended]);
    this.counts.locks = this.lock.acknowledged;
  }

  /** Resolves after this many acknowledged calls: machines differ in speed. */
  private async acknowledgements(count: number): Promise<void> {
    const end = this.model.counts.acknowledged + count;
    for (let waited = 0; waited < 1000 && this.model.counts.acknowledged < end; waited++)
      await wait(5);
  }

  /** The last comparison, of all that is known. */
  async finish(): Promise<void> {
    const { child, url } = await startService(this.files, 'write');
    const call = await adminCalls(url);
    await this.model.check(call);
    await this.model.runs.settled(call);
    await this.model.runs.check(call, true);
    this.counts.runs = this.model.runs.runs.size;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  private async competitor({ child }: ServiceProcess): Promise<void> {
    if (this.draw() < 0.5) child.kill('SIGSTOP');
    const outcome = await challenge(this.files);
    if (!outcome.startsWith('1 ') || !outcome.includes('is in use by process')) {
      this.model.violations.push(`a second instance ended with ${outcome}`);
    }
    child.kill('SIGCONT');
    await wait(50);
  }

  /** Fills the disk, and frees it again in most cases. */
  private async fullDisk({ child }: ServiceProcess): Promise<void> {
    this.counts['full disks'] += 1;
    child.kill('SIGUSR2');
    await wait(50 + this.draw() * 150);
    if (this.draw() < 0.3) return;
    child.kill('SIGUSR2');
    await this.acknowledgements(this.draw() * LONGEST_LIFE);
  }
}

/** Plays lives of a service on a new folder, from a seed. */
export async function playServiceHistory({
  seed,
  lives,
  main = PROGRAM,
}: {
  readonly seed: number;
  readonly lives: number;
  readonly main?: string;
}): Promise<RoundResult> {
  const data = mkdtempSync(join(tmpdir(), 'armtwin-history-'));
  const receiver = await openReceiver();
  const history = new ServiceHistory({ main, data }, seed, receiver);
  try {
    for (let life = 0; life < lives; life++) await history.round();
    await history.finish();
  } finally {
    await receiver.close();
  }
  const { violations, counts: acts } = history.model;
  // The folder of a violation stays for the examination.
  if (violations.length === 0) rmSync(data, { recursive: true });
  else violations.push(`the data is in ${data}`);
  return {
    violations: violations.map((text) => `seed ${seed}: ${text}`),
    counts: { lives, ...acts, ...history.counts },
  };
}
