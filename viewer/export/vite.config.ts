/**
 * Vite build of the exported page: one HTML file that contains scripts, workers, fonts and styles
 * and opens from disk without a network. Its content-security policy names the hash of its one
 * script.
 */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin } from 'vite';
import { PAGE_ARM, pageArm } from '../../arms/page-arm.config.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The module that starts each worker and the worker's entry, by the function that starts it. */
const WORKERS = {
  startBuildWorker: ['../toolpath/start-build-worker.ts', '../toolpath/build-worker.ts'],
  startMeshWorker: ['../scene/start-mesh-worker.ts', '../scene/mesh-worker.ts'],
} as const;
type WorkerStart = keyof typeof WORKERS;

/**
 * Builds a worker as one classic script; pages from disk cannot start module workers from blobs.
 */
async function workerCode(file: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [pageArm],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: file, output: { format: 'iife' } },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const chunks = outputs.flatMap((each) => (each.type === 'chunk' ? [each.code] : []));
  if (chunks.length !== 1)
    throw new Error(`${file} was built into ${chunks.length} scripts; expected one`);
  return chunks[0]!;
}

/** Replaces the modules that start these workers with ones that carry the workers' code inline. */
export function inlineWorkers(inlined: readonly WorkerStart[]): Plugin {
  return {
    name: 'armtwin-inline-workers',
    enforce: 'pre',
    async load(id) {
      const name = inlined.find((each) => id === at(WORKERS[each][0]));
      if (name === undefined) return null;
      const code = JSON.stringify(await workerCode(at(WORKERS[name][1])));
      return [
        `import { armText } from ${JSON.stringify(PAGE_ARM)};`,
        `const code = new Blob([${code}], { type: 'text/javascript' });`,
        `export const ${name} = () => new Worker(URL.createObjectURL(code), { name: armText() });`,
      ].join('\n');
    },
  };
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function policyOf(script: string, styles: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    'worker-src blob:',
    `style-src ${hashOf(styles)} data:`,
    'font-src data:',
    'img-src data: blob:',
  ].join('; ');
}

/** Puts the policy, the styles and the script into the page. */
function oneFile(): Plugin {
  return {
    name: 'armtwin-one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      let script = '';
      let styles = '';
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code;
        else if (name.endsWith('.css')) styles += String(part.source);
        if (!name.endsWith('.html')) delete bundle[name];
      }
      script = script.replace(/<\/script/g, '<\\/script').replace(/<!--/g, '<\\!--');
      const [page] = Object.values(bundle);
      if (page?.type !== 'asset') throw new Error('the build has no HTML page');
      const content = policyOf(script, styles);
      const policy = `<meta http-equiv="content-security-policy" content="${content}" />`;
      const html = String(page.source)
        .replace(/\s*<script type="module".*?<\/script>/, '')
        .replace(/\s*<link rel="stylesheet".*?>/g, '')
        .replace('<meta charset="utf-8" />', () => `<meta charset="utf-8" />\n    ${policy}`)
        .replace('</head>', () => `<style>${styles}</style>\n  </head>`)
        .replace('</body>', () => `<script type="module">${script}</script>\n  </body>`);
      page.source = html;
      page.fileName = 'export.html';
    },
  };
}

export default defineConfig({
  root: at('..'),
  base: './',
  publicDir: false,
  plugins: [pageArm, inlineWorkers(['startBuildWorker', 'startMeshWorker']), oneFile()],
  build: {
    outDir: at('../../dist/viewer'),
    emptyOutDir: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    target: 'es2022',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: at('./index.html'),
      output: { codeSplitting: false },
    },
  },
});
