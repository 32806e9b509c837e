/** A cell, for rules. */
import type { Cell } from '../../contract/types.generated.ts';

const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;

/** A cell with a part of each kind, out of the way of the arm, and light enough for small ones. */
export const SAMPLE_CELL: Cell = {
  name: 'one of each',
  fixtures: [
    {
      name: 'bench',
      position: { x: 2, y: 0, z: 0 },
      orientation: UPRIGHT,
      boxes: [
        {
          size_m: { x: 1, y: 1, z: 0.1 },
          position: { x: 0, y: 0, z: 0 },
          orientation: UPRIGHT,
        },
      ],
      nests: [
        { name: 'left', position: { x: 0, y: 0.2, z: 0.1 }, orientation: UPRIGHT },
        { name: 'right', position: { x: 0, y: -0.2, z: 0.1 } },
      ],
      friction: 0.4,
      stiffness_n_per_m: 20_000,
    },
  ],
  objects: [
    {
      name: 'plate',
      shape: { kind: 'microplate', height_m: 0.0144 },
      mass_kg: 0.06,
      friction: 0.3,
      nest: 'left',
      nests: [{ name: 'lid place', position: { x: 0, y: 0, z: 0.0144 } }],
    },
    {
      name: 'block',
      shape: { kind: 'box', size_m: { x: 0.04, y: 0.04, z: 0.04 } },
      mass_kg: 0.1,
      position: { x: 2.3, y: 0, z: 0.1 },
      orientation: UPRIGHT,
    },
    {
      name: 'can',
      shape: { kind: 'cylinder', diameter_m: 0.06, height_m: 0.1 },
      mass_kg: 0.12,
      position: { x: 2.3, y: 0.3, z: 0.1 },
    },
    {
      name: 'tube',
      shape: { kind: 'tube', diameter_m: 0.016, height_m: 0.08 },
      mass_kg: 0.01,
      position: { x: 2.3, y: -0.3, z: 0.1 },
    },
    {
      name: 'cap',
      shape: { kind: 'cylinder', diameter_m: 0.02, height_m: 0.01 },
      mass_kg: 0.002,
      lid_of: 'tube',
      sealed: true,
    },
  ],
  grippers: [
    {
      kind: 'jaws',
      name: 'jaws',
      output: 'ee_d0',
      closes_on: true,
      tip_m: { x: 0, y: 0, z: 0.1 },
      jaw_angle_rad: 0.5,
      stroke_m: 0.1,
      pad_width_m: 0.02,
      pad_height_m: 0.01,
      force_n: 20,
      closing_time_s: 0.2,
      friction: 0.5,
      mass_kg: 0.1,
      part_present_input: 'ee_d0',
      closed_input: 'ee_d1',
    },
    {
      kind: 'suction',
      name: 'cup',
      output: 'ee_d1',
      closes_on: false,
      tip_m: { x: 0.05, y: 0, z: 0.1 },
      radius_m: 0.01,
      reach_m: 0.002,
      force_n: 10,
      closing_time_s: 0.1,
    },
  ],
  sensors: [
    {
      kind: 'beam',
      name: 'gate',
      input: 'd0',
      inverted: true,
      delay_s: 0.02,
      from: { x: 1.5, y: 0.2, z: 0.107 },
      to: { x: 2.5, y: 0.2, z: 0.107 },
    },
    {
      kind: 'presence',
      name: 'on the right',
      input: 'd1',
      position: { x: 2, y: -0.2, z: 0.11 },
      size_m: { x: 0.1, y: 0.1, z: 0.05 },
      orientation: UPRIGHT,
    },
    {
      kind: 'distance',
      name: 'range finder',
      input: 'a0',
      position: { x: 2.3, y: 0, z: 0.3 },
      direction: { x: 0, y: 0, z: -1 },
      range_m: 0.2,
      at_zero: 0,
      at_full_scale: 10,
    },
    {
      kind: 'weight',
      name: 'scale',
      input: 'a1',
      of: 'bench',
      full_scale_kg: 1,
      at_zero: 0,
      at_full_scale: 10,
    },
  ],
  conveyors: [
    {
      name: 'belt',
      position: { x: 2, y: 1, z: 0 },
      orientation: UPRIGHT,
      size_m: { x: 1, y: 0.2, z: 0.1 },
      speed_m_s: 0.1,
      output: 'd0',
      runs_on: true,
      friction: 0.8,
      encoder: { input: 'ee_a0', span_m: 0.5, at_zero: 0, at_full_scale: 10 },
    },
  ],
  controls: [
    { kind: 'button', name: 'start', input: 'd2', inverted: false },
    { kind: 'door', name: 'door', input: 'd3', inverted: true, stops: true },
  ],
};
