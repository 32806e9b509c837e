/**
 * Generates deploy/kubernetes/schemas.json from published types of Kubernetes and of the Prometheus
 * operator: strict JSON Schemas of the kinds that deploy/kubernetes uses, for the types
 * of kubernetes-models and for three versions of Kubernetes. Run it manually for a new version:
 *
 *   npm install --ignore-scripts --prefix FOLDER kubernetes-models \
 *     @kubernetes-models/prometheus-operator cdk8s-plus-32 cdk8s-plus-33 cdk8s-plus-34
 *   npm run generate kubernetes-schemas -- FOLDER
 *
 * The packages (MIT, Apache-2.0) are generated from the OpenAPI documents of the projects. Strict:
 * unknown fields are rejected, so that a misspelt field is found.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { versionSchema } from './manifests/versioned-types.mjs';

const OUT = 'deploy/kubernetes/schemas.json';
/** The kinds in use by module. */
const KINDS = {
  'kubernetes-models/v1': ['Namespace', 'Service', 'Secret', 'ConfigMap', 'PersistentVolumeClaim'],
  'kubernetes-models/apps/v1': ['StatefulSet'],
  'kubernetes-models/batch/v1': ['CronJob', 'Job'],
  'kubernetes-models/policy/v1': ['PodDisruptionBudget'],
  'kubernetes-models/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1': ['ServiceMonitor'],
};

/** @typedef {{ schema: Record<string, unknown>, rest: string }} Parsed */

/** What is being read: the file's imports by name, and who wants to know of them. */
class Reader {
  /** @type {Record<string, unknown>} */
  definitions = {};
  /** @type {string} */
  #modules;

  /** @param {string} modules folder of the packages */
  constructor(modules) {
    this.#modules = modules;
  }

  /** The file of an import. @param {string} from @param {string} specifier */
  #locate(from, specifier) {
    const bare = !specifier.startsWith('.');
    const path = bare ? join(this.#modules, specifier) : resolve(dirname(from), specifier);
    const file = path.replace(/\.js$/, '').concat('.d.ts');
    return existsSync(file) ? file : join(path.replace(/\.js$/, ''), 'index.d.ts');
  }

  /**
   * Reads the first declaration of a file and all it leads to; answers the definition's name.
   * @param {string} file
   * @returns {string}
   */
  read(file) {
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const name = String(/export (?:interface|type) I(\w+)/.exec(text)?.[1]);
    const full = /as I(\w+)[,\s]/.exec(text)?.[1] ?? name;
    if (full in this.definitions) return full;
    this.definitions[full] = {};
    /** @type {Record<string, string>} */
    const imports = {};
    for (const [, what, from] of text.matchAll(/import \{ (.*?) \} from "(.*?)"/g)) {
      for (const one of String(what).split(', ')) imports[one] = this.#locate(file, String(from));
    }
    const shape = /export interface I\w+(?: extends \w+)? (\{[\s\S]*?\n\})/.exec(text)?.[1];
    const alias = /export type I\w+ = ([\s\S]*?);\n/.exec(text)?.[1];
    this.definitions[full] = this.#type(String(shape ?? alias), imports).schema;
    return full;
  }

  /** @param {string} source @param {Record<string, string>} imports @returns {Parsed} */
  #type(source, imports) {
    /** @type {unknown[]} */
    const choices = [];
    let rest = source;
    do {
      rest = rest.replace(/^\s*\|?\s*/, '');
      const one = this.#single(rest, imports);
      choices.push(one.schema);
      rest = one.rest.trimStart();
    } while (rest.startsWith('|'));
    const consts = choices.map((one) => /** @type {{ const?: string }} */ (one).const);
    if (choices.length === 1) return { schema: /** @type {any} */ (choices[0]), rest };
    if (consts.every((one) => one !== undefined)) return { schema: { enum: consts }, rest };
    return { schema: { anyOf: choices }, rest };
  }

  /** @param {string} source @param {Record<string, string>} imports @returns {Parsed} */
  #single(source, imports) {
    if (source.startsWith('{')) return this.#object(source, imports);
    if (source.startsWith('Array<')) {
      const { schema, rest } = this.#type(source.slice(6), imports);
      return { schema: { type: 'array', items: schema }, rest: rest.trimStart().slice(1) };
    }
    const word = /^("(?:[^"]*)"|\w+)/.exec(source)?.[1];
    if (word === undefined) throw new Error(`cannot read ${source.slice(0, 80)}`);
    return { schema: this.#word(word, imports), rest: source.slice(word.length) };
  }

  /** @param {string} word @param {Record<string, string>} imports */
  #word(word, imports) {
    if (word.startsWith('"')) return { const: JSON.parse(word) };
    if (['string', 'number', 'boolean', 'null'].includes(word)) return { type: word };
    const file = imports[word];
    if (file !== undefined) return { $ref: `#/$defs/${this.read(file)}` };
    if (['any', 'unknown', 'object'].includes(word)) return {};
    throw new Error(`no import of ${word}`);
  }

  /** @param {string} source @param {Record<string, string>} imports @returns {Parsed} */
  #object(source, imports) {
    /** @type {Record<string, unknown>} */
    const properties = {};
    const required = [];
    /** @type {unknown} */
    let others = false;
    let rest = source.slice(1).trimStart();
    while (!rest.startsWith('}')) {
      const head = /^(?:"([^"]+)"(\?)?|\[\w+: string\]): /.exec(rest);
      if (!head) throw new Error(`cannot read ${rest.slice(0, 80)}`);
      const { schema, rest: after } = this.#type(rest.slice(head[0].length), imports);
      if (head[1] === undefined) others = schema;
      else properties[head[1]] = schema;
      if (head[1] !== undefined && !head[2]) required.push(head[1]);
      rest = after.trimStart().replace(/^;/, '').trimStart();
    }
    const strict = { type: 'object', properties, additionalProperties: others };
    const schema = required.length > 0 ? { ...strict, required } : strict;
    return { schema, rest: rest.slice(1) };
  }
}

function main() {
  const folder = process.argv[2];
  if (folder === undefined) {
    console.error(
      'usage: npm run generate kubernetes-schemas -- FOLDER, after\n' +
        '  npm install --ignore-scripts --prefix FOLDER kubernetes-models ' +
        '@kubernetes-models/prometheus-operator cdk8s-plus-32 cdk8s-plus-33 cdk8s-plus-34',
    );
    return 2;
  }
  const modules = join(resolve(folder), 'node_modules');
  const reader = new Reader(modules);
  /** @type {Record<string, unknown>} */
  const kinds = {};
  for (const [place, names] of Object.entries(KINDS)) {
    for (const name of names) {
      const schema = { $ref: `#/$defs/${reader.read(join(modules, place, `${name}.d.ts`))}` };
      const text = readFileSync(join(modules, place, `${name}.d.ts`), 'utf8');
      kinds[`${/"apiVersion": "(.*?)"/.exec(text)?.[1]} ${name}`] = schema;
    }
  }
  const names = readdirSync(modules).filter((name) => /^cdk8s-plus-\d+$/.test(name));
  const versions = Object.fromEntries(
    names.map((name) => [
      `1.${name.split('-').at(-1)}`,
      versionSchema(
        readFileSync(join(modules, name, 'lib/imports/k8s.d.ts'), 'utf8'),
        Object.keys(kinds),
      ),
    ]),
  );
  const version = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
  const packages = ['kubernetes-models', '@kubernetes-models/prometheus-operator', ...names];
  const about = packages.map((name) => `${name} ${version(name)}`).join(', ');
  const licences = 'MIT, Tommy Chen; Apache-2.0, Amazon';
  const $comment = `Generated by tools/kubernetes-schemas.mjs from ${about} (${licences})`;
  mkdirSync(dirname(OUT), { recursive: true });
  const models = { kinds, $defs: reader.definitions };
  writeFileSync(OUT, `${JSON.stringify({ $comment, versions: { models, ...versions } })}\n`);
  return 0;
}

process.exitCode = main();
