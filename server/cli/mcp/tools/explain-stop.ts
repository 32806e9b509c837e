/** The tool that says why the arm has stopped. */
import { ifThere, statusOf } from '../status.ts';
import { jsonText, type Tool } from '../tool.ts';

export const explainStop: Tool = {
  name: 'explain_stop',
  title: 'Say why the arm has stopped',
  description:
    'The state with its cause: the error, the fault that was injected, what the last stop left, and each contact ' +
    'with its force, its place and the part of the arm. Without the simulation API only the state and the log are told.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  readOnly: true,
  async call(_, { arm }) {
    const client = await arm();
    const [{ snapshot }, status, contacts] = await Promise.all([
      client.getSnapshot(),
      statusOf(client),
      ifThere(client.listContacts()),
    ]);
    const { control, log } = snapshot as typeof snapshot & { readonly log?: unknown };
    const found = {
      control,
      ...(log !== undefined && { log }),
      status,
      contacts: contacts?.contacts,
    };
    return { text: jsonText(found), isError: false };
  },
};
