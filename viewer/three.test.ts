import { ShaderChunk, ShaderLib } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { expect, it } from 'vitest';
import { tightShader } from './three.config.ts';

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
/** What a compiler reads: a directive is one token, and so is the longest operator. */
const TOKEN = /^[ \t]*#.*$|[\w.]+|\+\+|--|&&|\|\||[-+*/<>=!]=|\S/gm;
const tokensOf = (text: string) =>
  (text.replace(COMMENT, '').match(TOKEN) ?? []).map((token) => token.trim());

it('keeps every token of every shader of three.js', () => {
  const { vertexShader, fragmentShader } = new LineMaterial();
  const programs = Object.values(ShaderLib).flatMap((one) => [
    one.vertexShader,
    one.fragmentShader,
  ]);
  const all = [...Object.values(ShaderChunk), ...programs, vertexShader, fragmentShader];
  expect(all.length).toBeGreaterThan(150);
  for (const text of all) expect(tokensOf(tightShader(text))).toEqual(tokensOf(text));
});

it('takes the space around operators and none that tokens need', () => {
  expect(tightShader('\tfloat a = ( b + 1.0 ) * c[ 0 ]; // why\n\n  #define  X  1\n')).toBe(
    'float a=(b+1.0)*c[0];\n#define  X  1',
  );
  expect(tightShader('x = a - - b + ++ c;')).toBe('x=a- -b+ ++ c;');
});
