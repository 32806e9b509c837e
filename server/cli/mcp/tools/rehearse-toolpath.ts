/** The tool that rehearses a toolpath in a cell. */
import { fileOf, type Tool } from '../tool.ts';
import { answerOf } from './commands.ts';

interface Given {
  readonly file: string;
  readonly cell: string;
  readonly variations?: number;
}

const MOST_VARIATIONS = 100;

export const rehearseToolpath: Tool<Given> = {
  name: 'rehearse_toolpath',
  title: 'Rehearse a toolpath in its cell',
  description:
    'Runs a toolpath with physics in a cell on a twin of its own, faster than real time: what was picked, placed, touched, missed ' +
    'and dropped, and where everything is afterwards. Variations shift the objects. Moves no arm that others see.',
  inputSchema: {
    type: 'object',
    properties: {
      file: fileOf('a toolpath file'),
      cell: fileOf('the cell file'),
      variations: {
        type: 'integer',
        minimum: 0,
        maximum: MOST_VARIATIONS,
        description: 'Further runs with shifted objects',
      },
    },
    required: ['file', 'cell'],
    additionalProperties: false,
  },
  readOnly: true,
  call({ file, cell, variations }, context) {
    const more = variations === undefined ? [] : ['--variations', String(variations)];
    return answerOf(['rehearse', '--cell', cell, ...more, '--', file], context);
  },
};
