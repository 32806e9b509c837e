/**
 * What the panels of the Toolpaths and Teach pages share: their interface, icons of move types, and
 * rows of zones. Also: short texts of toolpaths, and the bars over the scene.
 */

import type { MotionError } from '../../contract/errors.ts';
import type { AvoidanceZone, IoAddress, TestCondition } from '../../contract/types.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import type { ToolpathLayerVisibility, ToolpathStore, ToolpathView } from './toolpath-store.ts';

export interface ToolpathPanel {
  readonly element: HTMLElement;
  /** Updates the panel after a change of the view; `before` is null the first time. */
  update(view: ToolpathView, before: ToolpathView | null): void;
}

/** Says on a button that a save is on its way; it keeps the focus. */
export function setSaving(save: HTMLElement, label: string, saving: boolean): void {
  setAttribute(save, 'aria-busy', saving ? 'true' : undefined);
  setText(save.lastElementChild as HTMLElement, saving ? 'Saving…' : label);
}

/** Icon of each move type; colour is never the only distinction. */

const PATHS: Readonly<Record<string, string>> = {
  joint: 'M2.5 12.5c5 0 3-7 11-8.5',
  linear: 'M3 12.5 13 3.5',
  spline: 'M2.5 12.5c1-11 10-11 11 0',
  pass: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
};

const SVG = 'http://www.w3.org/2000/svg';

/** The icon of a move type; null for other rows. */
export function moveIcon(kind: string): SVGSVGElement | null {
  const drawing = PATHS[kind];
  if (!drawing) return null;
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon move-${kind}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', drawing);
  svg.append(path);
  return svg;
}

/** Elements of a zone's row: sample of its drawing, name, kind. */
export function zoneRow({ name, avoid }: AvoidanceZone): readonly HTMLElement[] {
  const kind = avoid === 'inside' ? 'out' : 'in';
  return [
    element('span', { class: `zone-sample zone-${kind}` }),
    element('span', { class: 'zone-name' }, name),
    element('span', { class: 'zone-kind' }, `keep ${kind}`),
  ];
}

/** Short texts for motion error codes, conditions and I/O lines. Pure. */

/** "Base input 0", "Tool analog output 1". */
export function ioText(io: IoAddress, side: 'input' | 'output'): string {
  const place = io.location === 'base' ? 'Base' : 'Tool';
  return `${place} ${io.type === 'analog' ? 'analog ' : ''}${side} ${io.index}`;
}

/** "base input 3 is on", "tool analog input 0 is above 6". */
export function conditionText(condition: TestCondition): string {
  const { io, operator = 'equal', thresholds, value } = condition;
  const place = ioText(io, condition.type === 'input' ? 'input' : 'output');
  const subject = place.charAt(0).toLowerCase() + place.slice(1);
  const { lower = 0, upper = 0 } = thresholds ?? {};
  switch (operator) {
    case 'equal':
      return `${subject} is ${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}`;
    case 'below':
      return `${subject} is below ${lower}`;
    case 'above':
      return `${subject} is above ${upper}`;
    default:
      return `${subject} is ${operator} ${lower} to ${upper}`;
  }
}

const WHOLE: Partial<Record<MotionError, string>> = {
  plane_collision: 'Touches the ground',
  self_collision: 'Touches itself',
  object_collision: 'Touches a zone',
  reach_limit: 'Out of reach',
  ik_failure: 'No inverse kinematics solution',
  analytical_ik_failure: 'No inverse kinematics solution',
  time_too_short: 'Too little time',
  time_too_short_switched_to_min_time: 'Takes longer than requested',
  too_few_waypoints: 'Too few waypoints',
  too_many_waypoints: 'Too many waypoints',
  ee_over_speed: 'Tool too fast',
  ee_over_acceleration: 'Tool accelerates too hard',
  ee_over_energy: 'Tool has too much energy',
  linear_path_calculation_error: 'No straight path',
  cubic_path_calculation_error: 'No smooth path',
  generation_error: 'Motion cannot be generated',
  result_generation_error: 'Result cannot be generated',
};

const JOINT_TEXT: Record<string, string> = {
  boundary_limit: 'beyond its limit',
  angular_velocity_limit: 'too fast',
  angular_acceleration_limit: 'accelerates too hard',
  over_energy: 'has too much energy',
};

/** "J2 beyond its limit", "Touches the ground", or the code itself with spaces. */
export function motionErrorText(code: MotionError): string {
  const whole = WHOLE[code];
  if (whole) return whole;
  const joint = code.match(/^j(\d)_(.+)$/);
  const text = joint && JOINT_TEXT[joint[2]!];
  if (text) return `${jointName(Number(joint[1]))} ${text}`;
  const plain = code.replace(/_warning$/, ' near').replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Bars over the scene of the Toolpaths page: layers, and colouring of the path. */

const LAYERS: readonly (readonly [keyof ToolpathLayerVisibility, string])[] = [
  ['path', 'Path'],
  ['waypoints', 'Waypoints'],
  ['zones', 'Zones'],
  ['ghost', 'Ghost'],
];
const KINDS = [
  ['joint', 'Joint'],
  ['linear', 'Linear'],
  ['spline', 'Spline'],
] as const;

/** Shows or hides a layer. */
export function toggleLayer(store: ToolpathStore, layer: keyof ToolpathLayerVisibility): void {
  const { layers } = store.view();
  store.set({ layers: { ...layers, [layer]: !layers[layer] } });
}

/** Chips of the layers, except those that a page does not have. */
export function createLayerBar(
  store: ToolpathStore,
  without: readonly (keyof ToolpathLayerVisibility)[] = [],
): ToolpathPanel {
  const shown = LAYERS.filter(([layer]) => !without.includes(layer));
  const chips = shown.map(([layer, label]) =>
    button({ class: 'chip' }, () => toggleLayer(store, layer), label),
  );
  const label = { role: 'group', 'aria-label': 'Layers' };
  return {
    element: element('div', { class: 'glass plan-layers', ...label }, ...chips),
    update({ layers }) {
      for (const [i, [layer]] of shown.entries()) {
        setAttribute(chips[i]!, 'aria-pressed', String(layers[layer]));
      }
    },
  };
}

/** Choice between colouring by type and by speed, with a legend. */
export function createColouringBar(store: ToolpathStore): ToolpathPanel {
  const type = button({ class: 'chip' }, () => store.set({ colouring: 'type' }), 'Type');
  const speed = button({ class: 'chip' }, () => store.set({ colouring: 'speed' }), 'Speed');
  const kinds = KINDS.map(([kind, label]) =>
    element('span', { class: 'legend' }, moveIcon(kind)!, label),
  );
  const most = element('span');
  const ramp = element('span', { class: 'legend' }, '0', element('i', { class: 'ramp' }), most);
  const note = element('span', { class: 'sub' }, 'one dot per 100 ms');
  const choice = { class: 'choice', role: 'group', 'aria-label': 'Colour by' };
  const bar = { class: 'glass colouring' };
  const whole = element('div', bar, element('div', choice, type, speed), ...kinds, ramp, note);
  return {
    element: whole,
    update({ colouring, path, opened }, before) {
      setAttribute(whole, 'hidden', opened === null);
      setAttribute(type, 'aria-pressed', String(colouring === 'type'));
      setAttribute(speed, 'aria-pressed', String(colouring === 'speed'));
      for (const kind of kinds) setAttribute(kind, 'hidden', colouring !== 'type');
      setAttribute(ramp, 'hidden', colouring !== 'speed');
      if (path === before?.path && before) return;
      const fastest = path?.samples.speeds.reduce((a, b) => Math.max(a, b), 0) ?? 0;
      most.textContent = `${Math.round(fastest * 1000)} mm/s`;
    },
  };
}
