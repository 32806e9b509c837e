/** The manifests of deploy/kubernetes are valid by the published schemas and safe to run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';
import { describe, expect, it } from 'vitest';
import { createManifestValidator, documentsOf, manifestsOf, schemaVersions } from './manifests.mjs';

const ROOT = 'deploy/kubernetes';
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const validate = createManifestValidator();

/** @param {string} folder @param {string} kind */
const one = (folder, kind) => {
  const found = manifestsOf(`${ROOT}/${folder}`).filter((manifest) => manifest.kind === kind);
  expect(found.length).toBeGreaterThan(0);
  return /** @type {import('./manifests.mjs').Manifest} */ (found[0]);
};

/** Applied by hand, so no kustomization lists it. */
const RESTORE = 'restore.yaml';
const restore = () => documentsOf(readFileSync(`${ROOT}/backup/${RESTORE}`, 'utf8'));

const pods = () =>
  [...FOLDERS.flatMap((folder) => manifestsOf(`${ROOT}/${folder}`)), ...restore()]
    .filter(({ kind }) => ['StatefulSet', 'Job', 'CronJob'].includes(kind))
    .map(({ spec }) => (spec.jobTemplate?.spec ?? spec).template.spec);

describe('manifests', () => {
  it.each(FOLDERS)('%s is valid by the published schemas', (folder) => {
    const manifests = manifestsOf(`${ROOT}/${folder}`);
    expect(manifests.length).toBeGreaterThan(0);
    expect(manifests.flatMap(validate)).toEqual([]);
  });

  it.each(FOLDERS)('%s lists exactly its files', (folder) => {
    const [kustomization] = documentsOf(
      readFileSync(`${ROOT}/${folder}/kustomization.yaml`, 'utf8'),
    );
    const { resources, patches = [] } = /** @type {any} */ (kustomization);
    const paths = patches.flatMap((/** @type {any} */ { path = [] }) => path);
    const named = [...resources, ...paths];
    for (const path of named) expect(existsSync(`${ROOT}/${folder}/${path}`), path).toBe(true);
    const here = readdirSync(`${ROOT}/${folder}`).filter(
      (name) => name !== 'kustomization.yaml' && name !== RESTORE,
    );
    expect(named.filter((path) => !path.startsWith('../')).toSorted()).toEqual(here.toSorted());
  });

  it('are checked by three versions of Kubernetes', () => {
    expect(schemaVersions()).toEqual(['models', '1.32', '1.33', '1.34']);
    const set = structuredClone(one('base', 'StatefulSet'));
    set.spec.template.spec.containers[0].readynessProbe = {};
    expect(validate(set)).toEqual([expect.stringContaining('(models, 1.32, 1.33, 1.34)')]);
  });

  it('are checked for misspelt, missing and mistyped fields', () => {
    const set = one('base', 'StatefulSet');
    const change = (/** @type {(spec: any) => void} */ edit) => {
      const copy = structuredClone(set);
      edit(copy.spec);
      return validate(copy).length;
    };
    expect(change((spec) => (spec.template.spec.containers[0].readynessProbe = {}))).toBe(1);
    expect(change((spec) => delete spec.template)).toBe(1);
    expect(change((spec) => (spec.replicas = 'one'))).toBe(1);
    expect(change((spec) => (spec.podManagementPolicy = 'AtOnce'))).toBe(1);
  });

  it('run no pod as root, with a writable root or without limits', () => {
    expect(pods()).toHaveLength(5);
    for (const { securityContext, containers, initContainers = [], ...spec } of pods()) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(spec.automountServiceAccountToken).toBe(false);
      for (const container of [...initContainers, ...containers]) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.requests).toHaveProperty('cpu');
        expect(container.resources.limits).toHaveProperty('memory');
      }
    }
  });

  it('probe readiness and liveness', () => {
    const [container] = one('base', 'StatefulSet').spec.template.spec.containers;
    expect(container.startupProbe.httpGet.path).toBe('/readyz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container.livenessProbe.httpGet.path).toBe('/livez');
  });

  it('pin the image to the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const containers = pods().flatMap((pod) => [...(pod.initContainers ?? []), ...pod.containers]);
    expect(containers.length).toBeGreaterThan(2);
    for (const { image, imagePullPolicy } of containers) {
      expect([image, imagePullPolicy]).toEqual([`armtwin:${version}`, 'IfNotPresent']);
    }
  });

  it('need no custom resources, except for monitoring', () => {
    for (const folder of FOLDERS.filter((name) => name !== 'monitoring')) {
      for (const { apiVersion } of manifestsOf(`${ROOT}/${folder}`)) {
        expect(apiVersion).toMatch(/^(v1|(apps|batch|policy|networking\.k8s\.io)\/v1)$/);
      }
    }
  });

  it('select the same pods everywhere', () => {
    const { template, selector, serviceName } = one('base', 'StatefulSet').spec;
    const { labels } = template.metadata;
    expect(selector.matchLabels).toEqual(labels);
    const [headless, first] = manifestsOf(`${ROOT}/base`).filter(({ kind }) => kind === 'Service');
    expect(headless).toMatchObject({ metadata: { name: serviceName } });
    expect(headless?.spec).toMatchObject({ clusterIP: 'None', selector: labels });
    expect(first?.spec.selector).toEqual({ 'statefulset.kubernetes.io/pod-name': 'armtwin-0' });
    expect(one('base', 'PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(one('base', 'NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    const watched = one('monitoring', 'ServiceMonitor').spec.selector.matchLabels;
    expect(headless?.metadata).toMatchObject({ labels: watched });
    expect(first?.metadata).not.toMatchObject({ labels: watched });
  });

  it('gives every pod of the fleet an address of its own', () => {
    const text = readFileSync(`${ROOT}/fleet/kustomization.yaml`, 'utf8');
    const { replicas } = /** @type {any} */ (documentsOf(text)[0]);
    const services = [...manifestsOf(`${ROOT}/base`), ...manifestsOf(`${ROOT}/fleet`)].filter(
      ({ spec, kind }) => kind === 'Service' && spec.clusterIP !== 'None',
    );
    const names = Array.from({ length: replicas[0].count }, (_, index) => `armtwin-${index}`);
    expect(services.map(({ metadata }) => metadata.name)).toEqual(names);
    const pod = 'statefulset.kubernetes.io/pod-name';
    expect(services.map(({ spec }) => spec.selector[pod])).toEqual(names);
  });

  it('pass on by the Ingress every route and page, and nothing that needs no session', async () => {
    const { rules, tls } = one('ingress', 'Ingress').spec;
    const [{ host, http }] = rules;
    expect(tls[0].hosts).toEqual([host]);
    const passes = (/** @type {string} */ path) =>
      http.paths.some((/** @type {any} */ rule) =>
        rule.pathType === 'Exact' ? rule.path === path : `${path}/`.startsWith(`${rule.path}/`),
      );
    const { ROUTES } = await tsImport('../../contract/routes.ts', import.meta.url);
    const routed = ROUTES.map((/** @type {{ path: string }} */ { path }) => path);
    expect(routed.length).toBeGreaterThan(100);
    const pages = ['/', '/assets/x.js', '/export.html', '/docs', '/openapi.json', '/asyncapi.json'];
    expect([...routed, ...pages].filter((path) => !passes(path))).toEqual([]);
    expect(['/metrics', '/livez', '/readyz', '/apis'].filter(passes)).toEqual([]);
    const backends = http.paths.map((/** @type {any} */ { backend }) => backend.service);
    for (const service of backends) {
      expect(service).toEqual({ name: 'armtwin-0', port: { name: 'http' } });
    }
  });

  it('let the Ingress in, name its host to the twin and its network as trusted', () => {
    const { podSelector, ingress } = one('ingress', 'NetworkPolicy').spec;
    expect(podSelector).toEqual(one('base', 'NetworkPolicy').spec.podSelector);
    expect(ingress[0].from[0]).toHaveProperty('namespaceSelector');
    expect(ingress[0].ports).toEqual([{ protocol: 'TCP', port: 'http' }]);
    const text = readFileSync(`${ROOT}/ingress/kustomization.yaml`, 'utf8');
    const [{ host }] = one('ingress', 'Ingress').spec.rules;
    expect(text).toContain(`value: "*.armtwin,${host}"`);
    const { name, key } = one('base', 'StatefulSet').spec.template.spec.containers[0].env.find(
      (/** @type {any} */ variable) => variable.name === 'ARMTWIN_TRUST_PROXY',
    ).valueFrom.configMapKeyRef;
    const config = /** @type {any} */ (one('ingress', 'ConfigMap'));
    expect([config.metadata.name, Object.keys(config.data)]).toEqual([name, [key]]);
  });

  it('retry webhooks for days where data is kept, and give up soon in tests', () => {
    const [twin] = one('base', 'StatefulSet').spec.template.spec.containers;
    expect(twin.env).toContainEqual({ name: 'ARMTWIN_WEBHOOKS', value: 'standard' });
    expect(twin.volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' });
    const [test] = one('ci', 'Job').spec.template.spec.initContainers;
    expect(test.args.join(' ')).toContain('--webhooks ci');
    const { services } = /** @type {any} */ (
      documentsOf(readFileSync('docker-compose.yml', 'utf8'))[0]
    );
    for (const name of ['armtwin', 'fleet', 'servo']) {
      expect(services[name].environment.join(' ')).toContain('ARMTWIN_WEBHOOKS:-standard');
      expect(services[name].volumes.join(' ')).toContain('/data');
    }
    expect(readFileSync('Dockerfile', 'utf8')).toContain('ARMTWIN_WEBHOOKS=standard');
  });

  it('back up the volume of the first twin, on its node', () => {
    const { affinity, volumes } = one('backup', 'CronJob').spec.jobTemplate.spec.template.spec;
    const [near] = affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    const pod = { 'statefulset.kubernetes.io/pod-name': 'armtwin-0' };
    expect(near.labelSelector.matchLabels).toEqual(pod);
    const claims = volumes.map((/** @type {any} */ one_) => one_.persistentVolumeClaim.claimName);
    const [{ metadata }] = one('base', 'StatefulSet').spec.volumeClaimTemplates;
    const own = one('backup', 'PersistentVolumeClaim').metadata.name;
    expect(claims).toEqual([`${metadata.name}-armtwin-0`, own]);
    expect(volumes[0].persistentVolumeClaim.readOnly).toBe(true);
    const [job] = restore();
    expect(validate(/** @type {any} */ (job))).toEqual([]);
    expect(job?.spec.template.spec.volumes.map((/** @type {any} */ v) => v.name)).toEqual([
      'data',
      'backups',
    ]);
  });

  it.each(['ci', 'plan'])('shares the work of %s by index', (folder) => {
    const { spec } = one(folder, 'Job');
    expect(spec).toMatchObject({ completionMode: 'Indexed', completions: spec.parallelism });
    // armtwin shard reads the index of the pod; the counts must agree.
    expect(spec.template.spec.containers[0].args.slice(0, 3)).toEqual([
      'shard',
      String(spec.completions),
      '--',
    ]);
  });
});
