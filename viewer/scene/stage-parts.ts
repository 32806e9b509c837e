/**
 * The parts of the stage: arm, ground, lights, trail and zones, and the meshing of the shells of
 * the arm.
 */
import { Scene } from 'three';
import { IS_DEFAULT_ARM } from '../../physics/arm/arm-model.ts';
import { type Arm, createArm } from './arm.ts';
import { createGround, type Ground } from './ground.ts';
import { createLighting, type Lighting } from './lighting.ts';
import type { ShellMesh } from './shell-mesh.ts';
import { startMeshWorker } from './start-mesh-worker.ts';
import { createTrail, type Trail } from './trail.ts';
import { createZones, type Zones } from './zones.ts';

interface StageParts {
  readonly scene: Scene;
  readonly arm: Arm;
  readonly ground: Ground;
  readonly lighting: Lighting;
  readonly trail: Trail;
  readonly zones: Zones;
}

/**
 * Meshes the shells of the default arm in a worker; calls `done` each time finer shells are in place.
 * Another arm has none.
 */
export function startMeshing(arm: Arm, done: () => void): void {
  if (!IS_DEFAULT_ARM) return;
  const worker = startMeshWorker();
  worker.addEventListener('message', (event: MessageEvent<ShellMesh[]>) => {
    arm.setShells(event.data);
    done();
  });
}

/** Creates the parts and adds them to a scene. */
export function createParts(): StageParts {
  const scene = new Scene();
  const parts = {
    scene,
    arm: createArm(),
    ground: createGround(),
    lighting: createLighting(),
    trail: createTrail(),
    zones: createZones(),
  };
  const { arm, ground, lighting, trail, zones } = parts;
  scene.add(arm.object, ground.object, lighting.object, trail.object, zones.object);
  return parts;
}
