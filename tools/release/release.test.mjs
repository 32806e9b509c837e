/** The bill of materials names what is wrong, and the workflow publishes only for a tag. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { NODE_VERSIONS } from '../package/node-versions.mjs';
import { CHECKS, GENERATORS } from '../setup/named-scripts.mjs';
import { sbomProblems } from './bill-of-materials.mjs';

const LOCK = {
  packages: {
    '': {},
    'node_modules/ws': { version: '8.0.0' },
    'node_modules/a/node_modules/@b/c': { version: '1.0.0' },
    'node_modules/vitest': { version: '4.0.0', dev: true },
  },
};
const item = (/** @type {string} */ name, /** @type {string} */ version) => ({
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
  licenses: [{ license: { id: 'MIT' } }],
});
const GOOD = [item('ws', '8.0.0'), item('@b/c', '1.0.0')];
const problems = (/** @type {object[]} */ components) =>
  sbomProblems('cyclonedx', { components }, LOCK).problems;

describe('a bill of materials', () => {
  it('lists every package that runs, and no other', () => {
    expect(problems(GOOD)).toEqual([]);
    expect(problems(GOOD.slice(1))).toEqual(['cyclonedx: ws@8.0.0 is missing']);
    expect(problems([...GOOD, item('vitest', '4.0.0')])).toEqual([
      'cyclonedx: vitest@4.0.0 is not installed',
    ]);
    expect(
      problems([
        { ...GOOD[0], licenses: [] },
        { ...GOOD[1], purl: 'file:x' },
      ]),
    ).toEqual([
      'cyclonedx: ws has no licence or origin',
      'cyclonedx: @b/c has no licence or origin',
    ]);
  });
});

/** @typedef {{ uses?: string, run?: string, if?: string, with?: Record<string, unknown> }} Step */
/**
 * @typedef {{
 *   if?: string, needs?: string[], permissions?: Record<string, string>, steps: Step[]
 * }} Job
 */
const workflow = /** @type {{ permissions: object, jobs: Record<string, Job> }} */ (
  load(readFileSync('.github/workflows/release.yml', 'utf8'))
);
const ONLY_TAG = "github.ref_type == 'tag'";

describe('the release workflow', () => {
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([name, job]) => job.steps.map((step) => ({ name, job, step })));

  it('publishes only for a tag', () => {
    const publishing = steps.filter(
      ({ step }) =>
        /publish|gh release|docker login/.test(step.run ?? '') ||
        /login-action|attest/.test(step.uses ?? ''),
    );
    expect(publishing).toHaveLength(4);
    for (const { job, step } of publishing) {
      expect([step.uses ?? step.run, step.if ?? job.if]).toContain(ONLY_TAG);
    }
    const image = steps.findLast(({ step }) => step.uses?.startsWith('docker/build-push-action'));
    expect(image?.step.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: `\${{ ${ONLY_TAG} }}`,
      sbom: true,
      provenance: 'mode=max',
    });
    expect(workflow.jobs['publish']?.needs).toEqual(['package', 'test', 'image']);
  });

  it('tries what it publishes before: package and wheel, the image, on every Node', () => {
    const runs = (/** @type {string} */ name) =>
      (workflow.jobs[name]?.steps ?? []).map(({ run, uses }) => run ?? uses ?? '');
    expect(runs('package')).toContain('npm run check release');
    const image = runs('image');
    const tried = image.findIndex(
      (text) => text.includes('docker run') && text.includes('/readyz'),
    );
    expect(tried).toBeGreaterThan(0);
    expect(image.findLastIndex((text) => text.includes('build-push-action'))).toBeGreaterThan(
      tried,
    );
    expect(runs('test')).toContain('npm test -- --all');
    const { strategy } = /** @type {any} */ (workflow.jobs['test']);
    expect(strategy.matrix.node).toEqual(NODE_VERSIONS);
  });

  it('may write only where it publishes', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const writing = jobs.filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes('write'),
    );
    expect(writing.map(([name]) => name)).toEqual(['image', 'publish']);
  });

  it('runs commands that exist, and no untrusted text in a shell', () => {
    for (const { step } of steps) {
      for (const [, kind, name] of (step.run ?? '').matchAll(
        /npm run (check|generate) ([\w-]+)/g,
      )) {
        expect(Object.keys(kind === 'check' ? CHECKS : GENERATORS)).toContain(name);
      }
      expect(step.run ?? '').not.toContain('${{');
    }
  });
});

describe('the versions of Node', () => {
  const text = (/** @type {string} */ path) => readFileSync(path, 'utf8');
  const newest = Math.max(...NODE_VERSIONS);

  it('are the same in the workflow of changes, and the oldest is that of engines', () => {
    const { test } = /** @type {any} */ (load(text('.github/workflows/test.yml'))).jobs;
    expect(test.strategy.matrix.node).toEqual(NODE_VERSIONS);
    const { engines } = JSON.parse(text('package.json'));
    expect(engines.node).toMatch(new RegExp(`^>=${Math.min(...NODE_VERSIONS)}\\.`));
  });

  it('include the one that is deployed, which CI examples and release use', () => {
    const images = text('Dockerfile').matchAll(/^FROM node:(\d+)/gm);
    expect([...images].map(([, major]) => Number(major))).toEqual([newest, newest]);
    expect(text('deploy/ci/gitlab-ci.yml')).toContain(`image: node:${newest}`);
    expect(text('deploy/ci/github-actions.yml')).toContain(`node-version: ${newest}`);
    expect(text('.github/workflows/release.yml')).toContain(`node-version: ${newest}`);
  });

  it('are in docs/operating.md, with the end of the oldest', () => {
    const platforms = text('docs/operating.md').split('## Platforms')[1]?.split('\n## ')[0];
    for (const major of NODE_VERSIONS) expect(platforms).toMatch(new RegExp(`\\b${major}\\b`));
    expect(platforms).toMatch(/Node 20 [^.]*\b20\d\d-\d\d-\d\d\b/);
  });
});
