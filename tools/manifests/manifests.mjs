/**
 * Reads Kubernetes manifests and validates them by the published schemas
 * (tools/kubernetes-schemas.mjs).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAll } from 'js-yaml';

const SCHEMAS = 'deploy/kubernetes/schemas.json';

/**
 * @typedef {{ apiVersion: string, kind: string, metadata: { name: string }, spec: any }} Manifest
 */

/** Every document of a text of YAML. @param {string} text @returns {Manifest[]} */
export function documentsOf(text) {
  return /** @type {Manifest[]} */ (loadAll(text).filter((one) => one !== null));
}

/** The manifests of a folder, without kustomizations and patches. */
export function manifestsOf(/** @type {string} */ folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const [kustomization] = documentsOf(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
  const wanted = /** @type {any} */ (kustomization).resources;
  return files
    .filter((name) => wanted.includes(name))
    .flatMap((name) => documentsOf(readFileSync(join(folder, name), 'utf8')));
}

/**
 * Creates a validator of manifests, which returns the problems of one.
 * @returns {(manifest: Manifest) => string[]}
 */
export function createManifestValidator() {
  const { kinds, $defs } = JSON.parse(readFileSync(SCHEMAS, 'utf8'));
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajv.addSchema({ $id: 'kubernetes', $defs });
  return (manifest) => {
    const name = `${manifest.apiVersion} ${manifest.kind}`;
    if (!(name in kinds)) return [`no schema of ${name}; add it to tools/kubernetes-schemas.mjs`];
    const reference = { $ref: kinds[name].$ref.replace('#', 'kubernetes#') };
    if (ajv.validate(reference, manifest)) return [];
    return (ajv.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${name} ${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  };
}
