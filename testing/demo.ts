/**
 * The whole story of a client, told as it happens: `node dist/testing/demo.js URL TOKEN`. Log in,
 * watch the stream, take the lock, save a toolpath, build it, run it, pause and resume, move by
 * hand of the API, and leave everything as it was. It uses what every client has, and nothing else.
 */
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../contract/client.ts';
import type { Joints, RobotEvent, Toolpath } from '../contract/types.ts';

const TOOLPATH = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const NAME = 'Pick and place';
const PAUSE_AFTER_MS = 1500;
const PAUSE_MS = 1000;
/** A motion that lasts longer than this is stuck. */
const PATIENCE_MS = 120_000;

let step = 0;

function say(text: string): void {
  process.stdout.write(`${String(++step).padStart(2)}  ${text}\n`);
}

function hear(text: string): void {
  process.stdout.write(`      · ${text}\n`);
}

function pass(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms));
}

function degrees(joints: readonly number[]): string {
  return joints.map((angle) => `${((angle * 180) / Math.PI).toFixed(1)}°`).join(' ');
}

/** The state as the stream tells it, and a way to wait for one. */
class Ear {
  private state = 'ready';
  private waiting: { readonly state: string; readonly resolve: () => void }[] = [];

  readonly onEvent = (event: RobotEvent): void => {
    if (event.type === 'lock_status') hear(`lock: ${event.lock.owner}, ${event.lock.status}`);
    if (event.type !== 'state_change') return;
    const { control, 'global.outputs': outputs } = event.changes;
    if (outputs) hear(`outputs: ${JSON.stringify(outputs)}`);
    if (control?.loop_count !== undefined) hear(`loops done: ${control.loop_count}`);
    if (control?.state === undefined) return;
    hear(`state: ${control.state}`);
    this.state = control.state;
    for (const entry of this.waiting.splice(0)) {
      if (entry.state === control.state) entry.resolve();
      else this.waiting.push(entry);
    }
  };

  /** Resolves when the robot is in a state; rejects when that takes too long. */
  until(state: string): Promise<void> {
    if (this.state === state) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the robot is not ${state} after ${PATIENCE_MS / 1000} s`)),
        PATIENCE_MS,
      );
      this.waiting.push({
        state,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }
}

async function runWithPause(arm: ArmClient, ear: Ear): Promise<void> {
  await arm.run({ mode: 'automatic', loop: 2 });
  say('Run it twice, in automatic mode.');
  await ear.until('running');
  await pass(PAUSE_AFTER_MS);
  await arm.pause();
  say('Pause in the middle of a move: the arm comes to rest on its path.');
  await ear.until('paused');
  await pass(PAUSE_MS);
  await arm.resume();
  say('Resume.');
  await ear.until('running');
  await ear.until('ready');
}

async function moveByHand(arm: ArmClient, ear: Ear): Promise<void> {
  const { snapshot } = await arm.getSnapshot();
  const joints: Joints = [...snapshot['servos.telemetry.position']];
  say(`The arm stands at ${degrees(joints)}.`);
  joints[0] += joints[0] > 0 ? -0.5 : 0.5;
  await arm.goTo({ mode: 'automatic', joints, max_speed: 0.4 });
  say('go_to: joint 1 half a radian further, at 0.4 m/s.');
  await ear.until('running');
  await ear.until('ready');
  const { fk } = await arm.forwardKinematics({ joints });
  if (fk.result === 'success') {
    const { x, y, z } = fk.position;
    say(`The flange is at ${x.toFixed(3)}, ${y.toFixed(3)}, ${z.toFixed(3)} m.`);
  }
}

async function tell(baseUrl: string, token: string): Promise<void> {
  const arm = connect({ baseUrl, token, WebSocket: WebSocket as StreamSocketClass });
  const { robot } = await arm.getVersions();
  const { name } = await arm.getName();
  say(`This is “${name}”, software ${robot}.`);
  const ear = new Ear();
  const stream = arm.events({ onEvent: ear.onEvent });
  await stream.opened;
  say('Logged in with the API token; the stream is open.');
  const lock = await arm.keepLock();
  say('The lock is ours and renewed while we hold it.');
  const toolpath = JSON.parse(await readFile(TOOLPATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: NAME, toolpath });
  const toolpath_id = saved.toolpath.id;
  say(`Saved “${NAME}” as toolpath ${toolpath_id}, hash ${saved.toolpath.hash.slice(0, 12)}….`);
  const built = await arm.buildToolpath({ toolpath_id });
  const { duration, error } = built.toolpath.trajectory;
  say(error ? `It does not build: ${error}` : `Built: one loop takes ${duration?.toFixed(2)} s.`);
  const { event } = await arm.useToolpath({ toolpath_id });
  say(`${event.name}: ${event.details}.`);
  await runWithPause(arm, ear);
  await moveByHand(arm, ear);
  await lock.release();
  await arm.deleteToolpath({ toolpath_id });
  say('The lock is released and the toolpath deleted: all is as it was.');
  stream.close();
  await arm.endSession();
}

const [baseUrl, token] = process.argv.slice(2);
if (!baseUrl || !token) {
  process.stderr.write('usage: node dist/testing/demo.js URL TOKEN\n');
  process.exitCode = 2;
} else await tell(baseUrl, token);
