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

/** The versions of Kubernetes whose schemas are recorded. @returns {string[]} */
export function schemaVersions() {
  return Object.keys(JSON.parse(readFileSync(SCHEMAS, 'utf8')).versions);
}

/**
 * Creates a validator of manifests by every recorded version, which returns the problems of one,
 * each with the versions that report it.
 * @returns {(manifest: Manifest) => string[]}
 */
export function createManifestValidator() {
  /** @type {Record<string, { kinds: Record<string, object>, $defs: object }>} */
  const versions = JSON.parse(readFileSync(SCHEMAS, 'utf8')).versions;
  const validators = Object.entries(versions).map(([version, { kinds, $defs }]) => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    const known = Object.entries(kinds).map(
      ([name, schema]) => /** @type {const} */ ([name, ajv.compile({ ...schema, $defs })]),
    );
    return { version, kinds: new Map(known) };
  });
  return (manifest) => {
    const name = `${manifest.apiVersion} ${manifest.kind}`;
    const judges = validators.filter(({ kinds }) => kinds.has(name));
    if (judges.length === 0)
      return [`no schema of ${name}; add it to tools/kubernetes-schemas.mjs`];
    /** @type {Map<string, string[]>} */
    const problems = new Map();
    for (const { version, kinds } of judges) {
      const judge = kinds.get(name);
      if (judge === undefined || judge(manifest)) continue;
      for (const { instancePath, message, params } of judge.errors ?? []) {
        const text = `${name} ${instancePath}: ${message} ${JSON.stringify(params)}`;
        problems.set(text, [...(problems.get(text) ?? []), version]);
      }
    }
    return [...problems].map(([text, by]) => `${text} (${by.join(', ')})`);
  };
}
