/**
 * Plugin of the build of the page: three.js from its sources, of which a bundler leaves more out
 * than of its build, with shaders without comments and the white space that only readers need.
 * Minifiers leave strings as they are.
 */
import type { Plugin } from 'vite';

const LIBRARY = /\/three\/(src|examples)\/.*\.js$/;
/** A shader of the library. */
const SHADER = /(?<=\/\* glsl \*\/\s*`)[^`$]*/g;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const AROUND = / ?([=*/,;:?<>(){}[\]|&!]) ?/g;
/** Two signs in a row stay two. */
const SIGNS = /(?<![+-]) ?([+-]) ?(?![+-])/g;

/** A shader with the same tokens in the same lines; directives stay as they are, but for indents. */
export function tightShader(text: string): string {
  const lines = text.replace(COMMENT, '').split('\n');
  const tight = lines.map((line) => {
    const words = line.trim();
    if (words.startsWith('#')) return words;
    return words.replace(/\s+/g, ' ').replace(AROUND, '$1').replace(SIGNS, '$1');
  });
  return tight.filter((line) => line !== '').join('\n');
}

export const tightThree: Plugin = {
  name: 'tight-three',
  apply: 'build',
  config: () => ({ resolve: { alias: [{ find: /^three$/, replacement: 'three/src/Three.js' }] } }),
  transform(code, id) {
    if (!LIBRARY.test(id)) return null;
    return { code: code.replace(SHADER, (text) => tightShader(text)), map: null };
  },
};
