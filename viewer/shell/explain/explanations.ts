/**
 * Why the robot is as it is: one table of causes, each with its sentence and its remedies, computed
 * from the view alone. Times are the twin's. Pure.
 */

import { conditionText } from '../../../contract/condition-text.ts';
import { limits } from '../../../contract/limits.ts';
import type { SimWaiting, WaitCondition } from '../../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from '../../link/arm-view.ts';
import { lockedByOtherText } from '../../link/lock-holder.ts';
import { displacedParts, putPartsBack } from '../../link/parts-back.ts';
import { SAMPLES } from '../../toolpath/samples.ts';
import { isUnbegun } from '../../toolpath/toolpath-edit.ts';
import { decimal, minutesText, paceText } from '../../ui/value-text.ts';
import { workflowHoldText } from '../motion-reasons.ts';
import { isLeftOpen } from '../run-progress.ts';
import {
  call,
  type Explanation,
  type Found,
  forText,
  lastingText,
  lockedCall,
  type Remedy,
  stateNow,
} from './explanation.ts';
import {
  clearFault,
  collision,
  doorStop,
  faultEffect,
  faultsOf,
  ignoredCollision,
  jointFault,
  otherError,
  simulatedStop,
  undetectedContact,
  wiredStop,
} from './stop-causes.ts';

interface Cause {
  readonly cause: string;
  readonly tone: Explanation['tone'];
  /** The explanation where the cause applies, else null. */
  readonly find: (view: ArmView) => Found | null;
}

type Condition = Extract<WaitCondition, { io: unknown }>;

/** Below this pace of the clock the page explains why everything is slow. */
const SLOW_PACE = 0.9;

/** What the present step of a run waits for. */
function waitingOf(view: ArmView): (SimWaiting & { readonly now_s: number }) | null {
  const { status } = view.sim ?? {};
  const state = stateNow(view);
  const waits = state === 'running' || state === 'stopping';
  const waiting = waits ? status?.activity?.waiting : null;
  return waiting ? { ...waiting, now_s: status!.now_s } : null;
}

function isSignal(condition: WaitCondition): condition is Condition {
  return condition.type !== 'time';
}

/** Snapshot key of a signal, e.g. d0 or ee_a1. */
function keyOf({ io }: Condition): string {
  return `${io.location === 'base' ? '' : 'ee_'}${io.type === 'digital' ? 'd' : 'a'}${io.index}`;
}

/** A value that fulfils a condition (V, mA, or on and off). */
export function fulfillingValue(condition: Condition): boolean | number {
  const { operator = 'equal', thresholds, value, io } = condition;
  if (operator === 'equal') return value ?? true;
  const { lower = 0, upper = 0 } = thresholds ?? {};
  const most = io.location === 'base' ? limits.voltage_max_v : limits.end_effector_voltage_max_v;
  if (operator === 'inside') return (lower + upper) / 2;
  if (operator === 'below') return lower / 2;
  return (upper + Math.max(most, upper)) / 2;
}

function setSignal(condition: Condition): Remedy {
  const [key, value] = [keyOf(condition), fulfillingValue(condition)];
  const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : decimal(value, 1);
  if (condition.type === 'output-test') {
    return lockedCall(`Set it ${text}`, (client) =>
      client.changeGlobals({ changes: [{ key: `outputs.${key}`, value }] }),
    );
  }
  return call(`Set it ${text}`, (client) => client.setInputs({ values: { [key]: value } }));
}

function stuckInput(view: ArmView): Found | null {
  const waiting = waitingOf(view);
  if (!waiting || !isSignal(waiting.condition)) return null;
  const { condition } = waiting;
  const stuck = faultsOf(view, 'stuck_input').find(({ fault }) => fault.input === keyOf(condition));
  if (!stuck) return null;
  return {
    sentence: `Waits until ${conditionText(condition)}, but injected fault ${stuck.id} holds it.`,
    remedies: [clearFault(stuck.id)],
  };
}

function waitsForSignal(view: ArmView): Found | null {
  const waiting = waitingOf(view);
  if (!waiting || !isSignal(waiting.condition)) return null;
  const { condition, since_s, now_s } = waiting;
  return {
    sentence: `Waits until ${conditionText(condition)}; ${minutesText(now_s - since_s)} so far.`,
    remedies: [setSignal(condition)],
  };
}

function waitsForTime(view: ArmView): Found | null {
  const waiting = waitingOf(view);
  if (waiting?.condition.type !== 'time') return null;
  const { condition, since_s, now_s } = waiting;
  const left_s = Math.max(condition.duration - (now_s - since_s), 0);
  const sentence = `Waits ${decimal(condition.duration, 1)} s, ${decimal(left_s, 1)} s left.`;
  return { sentence, remedies: [] };
}

const RUN_CLOCK = call('Resume the clock', (client) => client.setClock({ paused: false }));
const REAL_TIME = call('Set real time', (client) => client.setClock({ pace: 1 }));

function clockStopped({ sim }: ArmView): Found | null {
  if (!sim) return null;
  const { paused, pace } = sim.clock;
  if (paused)
    return { sentence: 'The clock is paused: nothing moves until it runs.', remedies: [RUN_CLOCK] };
  if (pace !== 'stepped') return null;
  const sentence = 'The clock is stepped: time passes only when a client advances it.';
  return { sentence, remedies: [REAL_TIME] };
}

function clockSlow({ sim, snapshot }: ArmView): Found | null {
  if (!sim || !isMotionActive(snapshot)) return null;
  const { pace } = sim.clock;
  if (typeof pace !== 'number' || pace >= SLOW_PACE) return null;
  return {
    sentence: `Late because the clock runs at ${paceText(String(pace))}.`,
    remedies: [REAL_TIME],
  };
}

function slowFault(view: ArmView): Found | null {
  const delays = [
    ...faultsOf(view, 'reply').map(({ id, fault }) => ({
      id,
      what: `replies to ${fault.path}`,
      fault,
    })),
    ...faultsOf(view, 'stream').map(({ id, fault }) => ({ id, what: 'stream messages', fault })),
  ];
  const [found] = delays;
  if (found) {
    const { fault, what, id } = found;
    const effect = fault.effect === 'drop' ? 'are lost' : `come ${fault.delay_s ?? 0} s late`;
    const subject = what.charAt(0).toUpperCase() + what.slice(1);
    return { sentence: `${subject} ${effect}: injected fault ${id}.`, remedies: [clearFault(id)] };
  }
  const [planner] = faultsOf(view, 'slow_planner');
  if (!planner) return null;
  const sentence = `Plans take ${planner.fault.delay_s} s longer: injected fault ${planner.id}.`;
  return { sentence, remedies: [clearFault(planner.id)] };
}

/** An injected fault that nothing else explains, once nothing waits for it. */
function otherFault(view: ArmView): Found | null {
  if (stuckInput(view)) return null;
  for (const { id, fault } of view.sim?.faults ?? []) {
    const effect = faultEffect(fault);
    if (effect) return { sentence: `${effect}: injected fault ${id}.`, remedies: [clearFault(id)] };
  }
  return null;
}

function paused(view: ArmView): Found | null {
  if (stateNow(view) !== 'paused') return null;
  const resume = lockedCall('Resume', (client) => client.resume());
  return { sentence: `Paused${forText(view)}.`, remedies: view.workflow ? [] : [resume] };
}

function backdriving(view: ArmView): Found | null {
  if (stateNow(view) !== 'backdriving') return null;
  const release = call('Release it', (client) => client.setButtons({ backdriving: false }));
  return {
    sentence: `The backdriving button ${lastingText(view, 'pressed')}; the arm can be guided.`,
    remedies: view.sim ? [release] : [],
  };
}

function heldByOther(view: ArmView): Found | null {
  const held = lockedByOtherText(view);
  if (!held) return null;
  const left = view.sim?.lockLeft_s ? `, ${minutesText(view.sim.lockLeft_s)} left` : '';
  return { sentence: `${held}${left}. You are watching until it is free.`, remedies: [] };
}

function heldByWorkflow({ workflow }: ArmView): Found | null {
  if (!workflow) return null;
  const late = workflow.waiting ? ` Its next task waits: ${workflow.waiting}.` : '';
  const open: Remedy = { kind: 'page', label: 'Open it', page: 'workflow' };
  return { sentence: `${workflowHoldText(workflow)}.${late}`, remedies: [open] };
}

function stopsAfterLoop(view: ArmView): Found | null {
  if (stateNow(view) !== 'stopping') return null;
  const activity = view.sim?.status?.activity;
  const open = activity && isLeftOpen(view, activity) ? ' if nothing changes' : '';
  const left = activity ? `, in ${minutesText(activity.loop_remaining_s)}${open}` : '';
  return { sentence: `Stops at the end of this loop${left}.`, remedies: [] };
}

/** What is wrong with a toolpath; why a replay does not run is said on the button alone. */
function shownProblem(view: ArmView): Found | null {
  const { shown } = view;
  if (shown?.toolpath && isUnbegun(shown.toolpath)) return null;
  // A check is over before one has read of it; until then the button says why it waits.
  if (stateNow(view) !== 'ready' || !shown?.problem || shown.isReplay || shown.isChecking)
    return null;
  return { sentence: `“${shown.name}” cannot run. ${shown.problem}.`, remedies: [] };
}

const PUT_BACK = lockedCall('Put the parts back', putPartsBack);

/** Parts that are not where the cell begins with them; a workflow keeps its own deck. */
function displacedNames({ sim, workflow }: ArmView): readonly string[] {
  return sim?.cell && !workflow ? displacedParts(sim.cell).map(({ name }) => name) : [];
}

/** Names as "“a”", "“a” and “b”", or "“a”, “b” and 3 more". */
function namesText(names: readonly string[]): string {
  const [first, second, ...more] = names.map((name) => `“${name}”`);
  if (second === undefined) return first!;
  return more.length > 0 ? `${first}, ${second} and ${more.length} more` : `${first} and ${second}`;
}

/** What an earlier run has carried away, before the next one looks for it. */
function partsMoved(view: ArmView): Found | null {
  const names = displacedNames(view);
  const isIdle = stateNow(view) === 'ready' && view.snapshot?.control.toolpath_hash;
  if (!isIdle || view.shown?.isReplay || names.length === 0) return null;
  const where =
    names.length > 1
      ? 'are not in their nests: a run may miss them'
      : 'is not in its nest: a run may miss it';
  const sentence = `${namesText(names)} ${where}.`;
  return { sentence, remedies: [PUT_BACK] };
}

function noToolpath(view: ArmView): Found | null {
  if (stateNow(view) !== 'ready' || view.shown || view.snapshot?.control.toolpath_hash) return null;
  const open: Remedy = { kind: 'page', label: 'Open toolpaths', page: 'paths' };
  const samples = SAMPLES.map((sample): Remedy => {
    return { kind: 'sample', label: `Run “${sample.name}”`, sample };
  });
  const sentence = `No toolpath is loaded.${samples.length > 0 ? ' Run a sample:' : ''}`;
  return { sentence, remedies: [...samples, open] };
}

function schedule(view: ArmView): Found | null {
  const { enabled, start_time, stop_time } = view.snapshot?.scheduler ?? {};
  if (!enabled) return null;
  const off = lockedCall('Turn it off', (client) => client.setScheduler({ enabled: false }));
  const started = view.sim?.status?.activity?.scheduled;
  const sentence = started
    ? `The daily schedule started this run; it ends after the loop at ${stop_time}.`
    : `The daily schedule runs the loaded toolpath from ${start_time} to ${stop_time}.`;
  return { sentence, remedies: [off] };
}

function busyState(view: ArmView): Found | null {
  const text = { updating: 'Software is being installed', shutting_down: 'The robot shuts down' };
  const state = stateNow(view);
  if (state !== 'updating' && state !== 'shutting_down') return null;
  const time = forText(view).replace(/^ for (.*)/, '; $1 so far');
  return { sentence: `${text[state]}${time}.`, remedies: [] };
}

/** All causes, the most urgent first. */
const CAUSES: readonly Cause[] = [
  { cause: 'emergency_stop', tone: 'fault', find: simulatedStop },
  { cause: 'emergency_stop_wired', tone: 'fault', find: wiredStop },
  { cause: 'door_open', tone: 'fault', find: doorStop },
  { cause: 'joint_fault', tone: 'fault', find: jointFault },
  { cause: 'error', tone: 'fault', find: otherError },
  { cause: 'collision', tone: 'fault', find: collision },
  { cause: 'undetected_contact', tone: 'fault', find: undetectedContact },
  { cause: 'lock_of_other', tone: 'note', find: heldByOther },
  { cause: 'clock_stopped', tone: 'warn', find: clockStopped },
  { cause: 'stuck_input', tone: 'warn', find: stuckInput },
  { cause: 'waits_for_signal', tone: 'warn', find: waitsForSignal },
  { cause: 'waits_for_time', tone: 'note', find: waitsForTime },
  { cause: 'paused', tone: 'warn', find: paused },
  { cause: 'backdriving', tone: 'note', find: backdriving },
  { cause: 'busy', tone: 'warn', find: busyState },
  { cause: 'workflow_has_arm', tone: 'note', find: heldByWorkflow },
  { cause: 'clock_slow', tone: 'note', find: clockSlow },
  { cause: 'slow_fault', tone: 'warn', find: slowFault },
  { cause: 'ignored_collision', tone: 'warn', find: ignoredCollision },
  { cause: 'other_fault', tone: 'warn', find: otherFault },
  { cause: 'stops_after_loop', tone: 'note', find: stopsAfterLoop },
  { cause: 'shown_problem', tone: 'warn', find: shownProblem },
  { cause: 'no_toolpath', tone: 'note', find: noToolpath },
  { cause: 'parts_moved', tone: 'note', find: partsMoved },
  { cause: 'schedule', tone: 'note', find: schedule },
];

/** A cause that includes another one, which is then left out. */
const INCLUDES: Readonly<Record<string, string>> = {
  collision: 'undetected_contact',
  joint_fault: 'error',
  stuck_input: 'waits_for_signal',
};

/** The causes that a part in another place than expected may have. */
const BY_PARTS: readonly string[] = ['joint_fault', 'error', 'collision'];

/** Every cause that applies, the most urgent first; empty where nothing needs an explanation. */
export function explain(view: ArmView): readonly Explanation[] {
  if (view.link !== 'live' || !view.snapshot) return [];
  const isMoved = displacedNames(view).length > 0;
  const found = CAUSES.flatMap(({ cause, tone, find }): Explanation[] => {
    const one = find(view);
    if (!one) return [];
    const more = isMoved && BY_PARTS.includes(cause) ? [PUT_BACK] : [];
    return [{ cause, tone, ...one, remedies: [...one.remedies, ...more] }];
  });
  const included = new Set(found.map(({ cause }) => INCLUDES[cause]));
  return found.filter(({ cause }) => !included.has(cause));
}
