/**
 * Inputs and outputs of the arm (§2.5, §4.6): keys, value ranges, readings and write access.
 * Values use the snapshot's key names, so that conditions, edits, events and the snapshot share
 * one record. Units: V or mA, by the mode of the channel.
 */

import { limits } from '../../contract/limits.ts';
import type { AnalogMode } from '../../contract/types.generated.ts';
import type { SignalAddress } from '../../physics/toolpath/signal-address.ts';

export type SignalValue = boolean | number | AnalogMode;
export type SignalValues = Record<string, SignalValue>;

export interface IoMemory {
  readonly inputs: SignalValues;
  readonly outputs: SignalValues;
  /** Inputs that are driven; the others read noise, as open inputs do. */
  readonly wired: Record<string, boolean>;
  /** Inputs that ignore what drives them: an injected fault. */
  stuck: Readonly<Record<string, boolean>>;
  /** Output key → input key: the input takes the output's value. A setting for tests. */
  loopback: Record<string, string>;
}

export type IoSide = 'inputs' | 'outputs';

/** Inputs and outputs after power-up. */
export function createIo(): IoMemory {
  const digital = { d0: false, d1: false, d2: false, d3: false };
  const analog = { a0: 0, a1: 0, a0_mode: 'voltage', a1_mode: 'voltage' } as const;
  const end_effector = { ee_d0: false, ee_d1: false };
  return {
    inputs: { ...digital, ...analog, ee_a0: 0, ee_a1: 0, ...end_effector },
    outputs: { ...digital, ...analog, ...end_effector },
    wired: {},
    stuck: {},
    loopback: {},
  };
}

/** How often signals were written in this process, of all robots. */
export let writes = 0;

/** Snapshot key of an I/O object, e.g. d0, a1, ee_d0. */
export function ioKey(io: SignalAddress): string {
  const prefix = io.location === 'end_effector' ? 'ee_' : '';
  return `${prefix}${io.type === 'digital' ? 'd' : 'a'}${io.index}`;
}

/** Valid range of an analog value in its present mode (V or mA). */
function valueRange(values: SignalValues, key: string): readonly [number, number] {
  if (key.startsWith('ee_')) return [limits.voltage_min_v, limits.end_effector_voltage_max_v];
  return values[`${key}_mode`] === 'current'
    ? [limits.current_min_ma, limits.current_max_ma]
    : [limits.voltage_min_v, limits.voltage_max_v];
}

/** The problem of a value for a key, or null. `outside`: the type is right, the range is not. */
export function valueProblem(
  values: SignalValues,
  key: string,
  value: unknown,
): { readonly text: string; readonly outside: boolean } | null {
  const now = values[key];
  if (now === undefined) return { text: 'unknown property', outside: false };
  if (key.endsWith('_mode')) {
    const known = value === 'voltage' || value === 'current';
    return known ? null : { text: 'must be voltage or current', outside: false };
  }
  if (typeof now === 'boolean') {
    return typeof value === 'boolean' ? null : { text: 'must be a boolean', outside: false };
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return { text: 'must be a number', outside: false };
  }
  const [low, high] = valueRange(values, key);
  const inside = value >= low && value <= high;
  return inside ? null : { text: `out of range ${low}..${high}`, outside: true };
}

/** Keys in an order in which they can be written: modes first, because they set the ranges. */
export function keysWithModesFirst(values: SignalValues): string[] {
  const isMode = (key: string) => Number(key.endsWith('_mode'));
  return Object.keys(values).sort((a, b) => isMode(b) - isMode(a));
}

/** Writes a checked value; a change of mode sets the value to the new range's minimum (D35). */
export function writeIo(io: IoMemory, side: IoSide, key: string, value: SignalValue): void {
  if (side === 'inputs' && io.stuck[key]) return;
  const values = io[side];
  const changed = values[key] !== value;
  writes += 1;
  values[key] = value;
  if (changed && key.endsWith('_mode')) {
    const analog = key.slice(0, -'_mode'.length);
    values[analog] = valueRange(values, analog)[0];
    if (side === 'outputs') followLoopback(io, analog);
  }
  if (side === 'outputs') followLoopback(io, key);
}

/**
 * The given input values that differ from the present ones and can be written; null for none. An
 * analog input saturates at the ends of its range.
 */
export function changedInputs(
  io: IoMemory,
  values: ReadonlyMap<string, boolean | number>,
): Record<string, boolean | number> | null {
  let changed: Record<string, boolean | number> | null = null;
  for (const [key, given] of values) {
    const value = typeof given === 'number' ? saturated(io.inputs, key, given) : given;
    if ((io.inputs[key] === value && io.wired[key]) || io.stuck[key]) continue;
    if (valueProblem(io.inputs, key, value)) continue;
    changed ??= {};
    changed[key] = value;
  }
  return changed;
}

/** Disconnects inputs from what drove them: they read as after power-up. */
export function openInputs(io: IoMemory, keys: readonly string[]): void {
  for (const key of keys) {
    if (io.stuck[key]) continue;
    writes += 1;
    io.inputs[key] = typeof io.inputs[key] === 'boolean' ? false : valueRange(io.inputs, key)[0];
    io.wired[key] = false;
  }
}

function saturated(values: SignalValues, key: string, value: number): number {
  const [low, high] = valueRange(values, key);
  return Math.min(high, Math.max(low, value));
}

function followLoopback(io: IoMemory, key: string): void {
  const input = io.loopback[key];
  if (input === undefined || io.stuck[input]) return;
  io.inputs[input] = io.outputs[key]!;
  io.wired[input] = true;
}

/** Applies the analog modes of a toolpath that is loaded (decision D17). */
export function setAnalogModes(
  io: IoMemory,
  modes: {
    readonly i0: AnalogMode;
    readonly i1: AnalogMode;
    readonly o0: AnalogMode;
    readonly o1: AnalogMode;
  },
): void {
  writeIo(io, 'inputs', 'a0_mode', modes.i0);
  writeIo(io, 'inputs', 'a1_mode', modes.i1);
  writeIo(io, 'outputs', 'a0_mode', modes.o0);
  writeIo(io, 'outputs', 'a1_mode', modes.o1);
}

/** Largest reading of an open analog input (V). */
const OPEN_INPUT_NOISE_V = 0.05;
/** An open input shows a new reading once a second. */
const NOISE_PERIOD_TICKS = 250;

/** Tick at which open inputs show their next reading. */
export function nextReading_tick(tick: number): number {
  return (Math.floor(tick / NOISE_PERIOD_TICKS) + 1) * NOISE_PERIOD_TICKS;
}

/**
 * Reading of an input at a tick: its value where it is driven, else noise that is a function of the
 * tick and the seed alone (decisions D36, D38).
 */
export function readInput(io: IoMemory, key: string, tick: number, seed: number): SignalValue {
  const value = io.inputs[key]!;
  if (typeof value !== 'number' || io.wired[key] || io.stuck[key]) return value;
  const period = Math.floor(tick / NOISE_PERIOD_TICKS);
  let hash = (seed ^ (key.charCodeAt(key.length - 1) * 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ period, 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  const noise = ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
  return value + Math.round(noise * OPEN_INPUT_NOISE_V * 1000) / 1000;
}

/** Reads an I/O object for a condition. */
export function readIo(
  io: IoMemory,
  side: IoSide,
  address: SignalAddress,
  moment: { readonly tick: number; readonly seed: number },
): SignalValue {
  const key = ioKey(address);
  if (side === 'outputs') return io.outputs[key] ?? false;
  return readInput(io, key, moment.tick, moment.seed);
}

/** Writes the values of one side; inputs count as wired. Returns the problems of invalid values. */
export function writeSignals(io: IoMemory, side: 'inputs' | 'outputs', values: SignalValues) {
  const problems: { path: string; problem: string }[] = [];
  for (const key of keysWithModesFirst(values)) {
    const fault = valueProblem(io[side], key, values[key]);
    if (fault) problems.push({ path: `/${side}/${key}`, problem: fault.text });
    else {
      writeIo(io, side, key, values[key]!);
      if (side === 'inputs') io.wired[key] = true;
    }
  }
  return problems;
}
