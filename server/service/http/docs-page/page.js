/**
 * Starts the API documentation page: the list of calls from /openapi.json, the table of events from
 * /asyncapi.json, the log-in and the live listener. The content security policy forbids inline
 * scripts; Swagger's online validator is disabled.
 */
const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** The theme that the user has chosen in the viewer, else that of the system. */
function theme() {
  try {
    const { theme: chosen } = JSON.parse(localStorage.getItem('armtwin.preferences') ?? '{}');
    if (chosen === 'light' || chosen === 'dark') return chosen;
  } catch {
    // Storage is refused, or what it has is no JSON.
  }
  return dark.matches ? 'dark' : 'light';
}

function followTheme() {
  document.documentElement.dataset.theme = theme();
  document.documentElement.classList.toggle('dark-mode', theme() === 'dark');
}
dark.addEventListener('change', followTheme);
window.addEventListener('storage', followTheme);
followTheme();

const part = (id) => document.getElementById(id);
const base = new URL('..', document.baseURI);
const SHOWN_EVENTS = 100;
const TELEMETRY = 'servos.telemetry.';

/**
 * Keeps all calls in the page, so that the browser's search finds them. Swagger UI alone takes those
 * beyond the screen out of it when there are 150 or more.
 */
function wholeList({ React }) {
  function Operations(props) {
    const {
      specSelectors,
      getComponent,
      oas3Selectors,
      layoutSelectors,
      layoutActions,
      getConfigs,
    } = props;
    const OperationTag = getComponent('OperationTag');
    const OperationContainer = getComponent('OperationContainer', true);
    const shared = { oas3Selectors, layoutSelectors, layoutActions, getConfigs, getComponent };
    const callOf = (tag, op) => {
      const [path, method, specPath] = ['path', 'method', 'specPath'].map((name) => op.get(name));
      const key = `${path} ${method}`;
      return React.createElement(OperationContainer, { key, tag, op, path, method, specPath });
    };
    const sections = specSelectors.taggedOperations().map((tagObj, tag) => {
      const properties = { ...shared, key: tag, tag, tagObj, specUrl: specSelectors.url() };
      const list = tagObj.get('operations').map((op) => callOf(tag, op));
      const content = { className: 'operation-tag-content' };
      const block = React.createElement('div', content, list.toArray());
      return React.createElement(OperationTag, properties, block);
    });
    return React.createElement('div', null, sections.valueSeq().toArray());
  }
  return { components: { operations: Operations } };
}

/** The names of calls and groups as text: links within buttons are two controls in one place. */
function plainNames({ React }) {
  const DeepLink = ({ text }) => React.createElement('span', null, text);
  return { components: { DeepLink } };
}

/** The name of a field of a call: its parameter, or what it chooses or takes. */
function nameOf(control) {
  const parameter = control.closest('tr[data-param-name]')?.dataset.paramName;
  if (parameter) return parameter;
  if (control.closest('.content-type-wrapper, .response-control-media-type')) return 'Media type';
  if (control.closest('.servers')) return 'Server';
  if (control.matches('.curl')) return 'The call as a command of curl';
  if (control.matches('textarea')) return 'Body of the call';
  if (control.closest('.auth-container')) return 'Session token';
  return control.placeholder || 'Value';
}

/**
 * Names the fields that Swagger UI leaves without one, and lets the keyboard reach what scrolls, also
 * where it adds them later.
 */
function nameControls(root) {
  const isNamed = ({ labels }) => [...(labels ?? [])].some((label) => label.textContent.trim());
  const name = () => {
    for (const control of root.querySelectorAll('input, select, textarea')) {
      if (control.hasAttribute('aria-label') || isNamed(control)) continue;
      control.setAttribute('aria-label', nameOf(control));
    }
    for (const example of root.querySelectorAll('pre.microlight')) example.tabIndex = 0;
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
  name();
}

const calls = window.SwaggerUIBundle({
  plugins: [wholeList, plainNames],
  url: new URL('openapi.json', base).href,
  dom_id: '#page',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  validatorUrl: null,
});

part('by-hand').textContent = `curl -X POST ${base.href}api/v1/auth \\
  -H 'Content-Type: application/json' -d '{"token": "<API token>"}'
curl ${base.href}api/v1/data/snapshot -H 'Authorization: Bearer <session token>'`;

nameControls(part('page'));
// What scrolls is reached by the keyboard too.
for (const box of document.querySelectorAll('.scrolled')) box.tabIndex = 0;

let session = null;
let socket = null;

async function post(path, body) {
  const reply = await fetch(new URL(path, base), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = await reply.json();
  if (!reply.ok) throw new Error(`${result.error.title}: ${JSON.stringify(result.error.details)}`);
  return result;
}

part('log-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { token, email, password } = Object.fromEntries(new FormData(event.target));
  const result = part('log-in-result');
  try {
    const reply = token
      ? await post('api/v1/auth', { token })
      : await post('api/v1/auth/login', { email, password });
    session = reply.token;
    calls.preauthorizeApiKey('session', session);
    result.textContent = 'Logged in.';
    part('listen').disabled = false;
    part('listen-state').textContent = '';
  } catch (error) {
    result.textContent = error.message;
  }
});

/** Hides telemetry unless it is wanted; null when nothing else is left. */
function shownEvent(event) {
  if (part('with-telemetry').checked || event.type !== 'state_change') return event;
  const changes = Object.entries(event.changes).filter(([name]) => !name.startsWith(TELEMETRY));
  return changes.length === 0 ? null : { ...event, changes: Object.fromEntries(changes) };
}

const lines = [];
function show(event) {
  lines.unshift(`${new Date().toISOString().slice(11, 23)}  ${JSON.stringify(event)}`);
  lines.length = Math.min(lines.length, SHOWN_EVENTS);
  part('received').textContent = lines.join('\n');
}

function listen() {
  const address = new URL('api/v1/data/stream', base);
  address.protocol = address.protocol.replace('http', 'ws');
  socket = new WebSocket(address, [`SessionToken_${session}`, 'object']);
  socket.addEventListener('open', () => {
    part('listen').textContent = 'Stop';
    part('listen-state').textContent = 'Listening';
  });
  socket.addEventListener('message', ({ data }) => {
    const event = shownEvent(JSON.parse(data));
    if (event) show(event);
  });
  socket.addEventListener('close', ({ code }) => {
    socket = null;
    part('listen').textContent = 'Listen';
    part('listen-state').textContent = `Closed (${code})`;
  });
}

part('listen').addEventListener('click', () => {
  if (socket) socket.close();
  else listen();
});

function cell(content) {
  const element = document.createElement('td');
  element.append(content);
  return element;
}

function code(text) {
  const element = document.createElement('code');
  element.textContent = text;
  return element;
}

async function showEvents() {
  const reply = await fetch(new URL('asyncapi.json', base));
  const { channels, components } = await reply.json();
  for (const name of Object.keys(channels.stream.messages)) {
    const { summary, payload } = components.messages[name];
    const { properties } = components.schemas[payload.$ref.split('/').at(-1)];
    const fields = Object.keys(properties).filter((key) => key !== 'type');
    const row = document.createElement('tr');
    row.append(cell(code(name)), cell(summary ?? ''), cell(code(fields.join(', '))));
    part('event-table').append(row);
  }
}

showEvents();
