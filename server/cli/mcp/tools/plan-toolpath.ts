/** The tool that plans and checks a toolpath. */
import { fileOf, type Tool } from '../tool.ts';
import { answerOf } from './commands.ts';

export const planToolpath: Tool<{ readonly file: string; readonly cell?: string }> = {
  name: 'plan_toolpath',
  title: 'Plan and check a toolpath',
  description:
    'Plans every motion of a toolpath file without an arm: its duration, how near it is to the limits, and every error and ' +
    'warning with its place. With a cell it is checked against what stands around the arm, too. Moves nothing.',
  inputSchema: {
    type: 'object',
    properties: {
      file: fileOf('a toolpath file'),
      cell: fileOf('a cell file to check against'),
    },
    required: ['file'],
    additionalProperties: false,
  },
  readOnly: true,
  call: ({ file, cell }, context) =>
    answerOf(['plan', '--json', ...(cell ? ['--cell', cell] : []), '--', file], context),
};
