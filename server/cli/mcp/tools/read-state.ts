/** The tool that reads the state of the arm. */
import { jsonText, type Tool } from '../tool.ts';

export const readState: Tool = {
  name: 'read_state',
  title: 'Read the state of the arm',
  description:
    'The state of the arm with its joints (rad), pose, inputs and outputs, lock and loaded toolpath, ' +
    'and what moves behind the API. Look at it before anything else.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  readOnly: true,
  async call(_, { arm, driver }) {
    const [{ snapshot }, behind] = await Promise.all([(await arm()).getSnapshot(), driver()]);
    return { text: jsonText({ driver: behind, snapshot }), isError: false };
  },
};
