/**
 * Every motion error code of §2.4: the request that produces it, or the reason why none can. A code
 * that moves from one list to the other changes what clients can see.
 */

import { describe, expect, it } from 'vitest';
import { MOTION_ERRORS, type MotionError } from '../../contract/motion-errors.ts';
import type { InverseKinematicsBody, NudgeBody, Toolpath } from '../../contract/types.generated.ts';
import { MODEL_RANGE } from '../arm/arm-range.ts';
import { type InverseReply, solveInverse } from '../kinematics/inverse.ts';
import { nudge } from '../kinematics/nudge-rotate.ts';
import { createTool } from '../kinematics/tool.ts';
import { quaternionToMatrix } from '../math/rotation.ts';
import { buildToolpath } from './build.ts';
import { IMPOSSIBLE, PRODUCED, type Probe, WARNINGS } from './motion-codes.cases.ts';

type Codes = readonly (MotionError | undefined)[];

/** Codes of a build: of the build, its warnings and its setpoints. */
function buildCodes(toolpath: Toolpath): Codes {
  const result = buildToolpath(toolpath, { program: true, trajectory: true });
  const found: (MotionError | undefined)[] =
    result.kind === 'built' ? result.warnings.map(({ code }) => code) : [result.code];
  for (const item of result.trajectory?.timeline ?? []) {
    if (item.type === 'segment') found.push(...item.setpoints.map(({ error }) => error));
  }
  return found;
}

function codeOf(reply: InverseReply): Codes {
  return [reply.ok ? undefined : reply.code];
}

function nudgeCode({ joints, direction: axis, offset }: NudgeBody): Codes {
  return codeOf(
    nudge({ joints, axis, offset, tool: createTool(), range: MODEL_RANGE, check: () => null }),
  );
}

function inverseCode({ guess, position: { x, y, z }, orientation }: InverseKinematicsBody): Codes {
  const rotation = new Float64Array(9);
  quaternionToMatrix(orientation, rotation);
  const pose = Float64Array.from([...rotation, x, y, z]);
  return codeOf(solveInverse({ pose, guess, tool: createTool(), range: MODEL_RANGE }));
}

function codesOf(probe: Probe): Codes {
  if (probe.call === 'calcToolpath') return buildCodes(probe.body);
  return probe.call === 'nudge' ? nudgeCode(probe.body) : inverseCode(probe.body);
}

describe('motion error codes', () => {
  it.each(MOTION_ERRORS)('%s is produced or has a reason why not', (code) => {
    expect(code in PRODUCED).not.toBe(code in IMPOSSIBLE);
  });

  it.each(Object.entries(PRODUCED))('%s', (code, probe) => {
    expect(codesOf(probe)).toContain(code);
  });

  it('are all reachable except the warnings and at most eight', () => {
    expect(Object.keys(IMPOSSIBLE).length).toBeLessThanOrEqual(8);
    for (const code of WARNINGS) expect(PRODUCED).toHaveProperty(code);
  });

  it('ik_failure: an invalid pose', () => {
    const pose = Float64Array.of(2, 0, 0, 0, 1, 0, 0, 0, 1, 0.3, 0, 0.4);
    const guess = [0, -0.5, -1.2, 0, -1.2, 0];
    expect(codeOf(solveInverse({ pose, guess, tool: createTool(), range: MODEL_RANGE }))).toEqual([
      'ik_failure',
    ]);
  });
});
