/**
 * Reads the types of one version of Kubernetes as cdk8s-plus publishes them, one interface an
 * object of the OpenAPI document; the comment of a field has its name on the wire.
 */

const SIMPLE = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  any: {},
  Date: { type: 'string' },
  IntOrString: { type: ['integer', 'string'] },
  Quantity: { type: ['number', 'string'] },
};

/** @typedef {{ schema?: string, text: string }} Interface */

/**
 * The interfaces by name, with the bodies.
 * @param {string} text of k8s.d.ts
 */
function interfacesOf(text) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [, name, body] of text.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)) {
    found.set(String(name), String(body));
  }
  return found;
}

/**
 * The strict schema of the kinds in one version; kinds of other projects are left out.
 * @param {string} text of k8s.d.ts
 * @param {readonly string[]} wanted kinds, as `apps/v1 StatefulSet`
 */
export function versionSchema(text, wanted) {
  const interfaces = interfacesOf(text);
  /** @type {Record<string, unknown>} */
  const $defs = {};
  /** @param {string} type @returns {unknown} */
  const schemaOf = (type) => {
    const item = /^(.*)\[\]$/.exec(type)?.[1];
    if (item !== undefined) return { type: 'array', items: schemaOf(item) };
    const map = /^\{\s*\[key: string\]: (.*?);\s*\}$/.exec(type)?.[1];
    if (map !== undefined) return { type: 'object', additionalProperties: schemaOf(map) };
    const simple = SIMPLE[/** @type {keyof typeof SIMPLE} */ (type)];
    if (simple !== undefined) return simple;
    const body = interfaces.get(type);
    // An enumeration of words: kubernetes-models lists them.
    if (body === undefined) return { type: 'string' };
    if (!(type in $defs)) {
      $defs[type] = {};
      $defs[type] = objectOf(body);
    }
    return { $ref: `#/$defs/${type}` };
  };
  /** @param {string} body */
  const objectOf = (body) => {
    const fields = body.matchAll(
      /@schema \S+#(\S+)\n[\s\S]*?readonly \w+(\??): ([\s\S]*?);\n(?= {4}\/\*\*|$)/g,
    );
    /** @type {Record<string, unknown>} */
    const properties = {};
    const required = [];
    for (const [, name = '', optional, type = ''] of fields) {
      properties[name] = schemaOf(type.replace(/\s+/g, ' '));
      if (optional === '') required.push(name);
    }
    const strict = { type: 'object', properties, additionalProperties: false };
    return required.length > 0 ? { ...strict, required } : strict;
  };
  /** @type {Record<string, unknown>} */
  const kinds = {};
  for (const kind of wanted) {
    const [apiVersion = '', name = ''] = kind.split(' ');
    const body = interfaces.get(`Kube${name}Props`);
    if (body === undefined) continue;
    const object = /** @type {any} */ (objectOf(body));
    Object.assign(object.properties, { apiVersion: { const: apiVersion }, kind: { const: name } });
    object.required = [...(object.required ?? []), 'apiVersion', 'kind'];
    kinds[kind] = object;
  }
  return { kinds, $defs };
}
