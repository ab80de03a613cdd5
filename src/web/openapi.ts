/** The contract of `/api/v1`, served with it; tests hold every answer against it. */
import { HEALTHS, NODE_STATES, REASONS } from '../api/reasons.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$` } as const;
const reason = { enum: Object.keys(REASONS) } as const;
const state = { enum: NODE_STATES } as const;

/** No field beside these; those named last may be absent. */
function object(properties: Record<string, unknown>, ...optional: readonly string[]): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: object): object {
  return { type: 'array', items };
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

const about = {
  state,
  reason,
  image: { ...text, description: 'Absent where it is about the node.' },
  message: text,
  fix: { ...text, description: 'What to do.' },
  since: time,
};

const paging = {
  total: count,
  continue: { ...text, description: 'Give it back to get the next page; absent on the last one.' },
};

const schemas = {
  Error: object({ error: text }),
  Counts: object({ eligible: count, pulled: count, pulling: count, tolerated: count, failed: count }),
  Commit: object({ hash: text, subject: text, url: { ...text, format: 'uri' } }, 'url'),
  Expected: object({ earliest: time, latest: time, basis: count }, 'latest'),
  Fate: object({ ...about, nodes: list(text), count }, 'image', 'fix', 'since'),
  Node: object({ node: text, ...about, error: text }, 'image', 'fix', 'since', 'error'),
  Pull: object(
    {
      namespace: text,
      name: text,
      uid: text,
      generation: count,
      role: { enum: ['hook', 'continuous', 'other'] },
      application: text,
      revision: text,
      commit: ref('Commit'),
      health: { enum: HEALTHS },
      reason,
      message: text,
      counts: ref('Counts'),
      images: list(object({ image: text, nodes: count })),
      startedAt: time,
      endedAt: time,
      expected: ref('Expected'),
      open: {
        ...list(ref('Fate')),
        description: 'Nodes of equal fate together, the worst first; pulled ones are left out.',
      },
      openMore: count,
    },
    'revision',
    'commit',
    'endedAt',
    'expected',
  ),
  PullList: object({ pulls: list(ref('Pull')), ...paging }, 'continue'),
  PullWithNodes: object({ pull: ref('Pull'), nodes: list(ref('Node')), ...paging }, 'continue'),
  PullEvent: object({
    at: time,
    pull: ref('Pull'),
    nodes: list(
      object({ node: text, state, reason, rank: { type: 'integer', minimum: 0, maximum: 4 }, since: time }, 'since'),
    ),
    removed: list(text),
  }),
  GoneEvent: object({ namespace: text, name: text }),
} as const;

function answer(description: string, schema: string): object {
  return { description, content: { 'application/json': { schema: ref(schema) } } };
}

function parameter(name: string, where: 'query' | 'path' | 'header', schema: object, description?: string): object {
  return { name, in: where, required: where === 'path', schema, ...(description !== undefined && { description }) };
}

const refusals = {
  '401': answer('No token, or a wrong one.', 'Error'),
  '429': answer('Too many requests.', 'Error'),
};
const unchanged = { '304': { description: 'As If-None-Match has it.' } };
const limits = [
  parameter('limit', 'query', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
  parameter('continue', 'query', text, 'From the page before.'),
  parameter('If-None-Match', 'header', text, 'The ETag of the last answer.'),
];

const EVENTS = `Server-sent events. "pull" is a PullEvent: a pull as it is now, with the nodes that changed. "gone" is a GoneEvent: the pull is
over. "stale" has its fields too: so much changed that it is better asked for. "reset": events are missing, ask for everything again.
Every event has an id; Last-Event-ID, or the parameter, gets what came after it.`;

export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'argocd-prepuller', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
  servers: [{ url: '/api/v1' }],
  security: [{ token: [] }, { session: [] }],
  paths: {
    '/pulls': {
      get: {
        summary: 'Pulls of now, by namespace and name; or past ones, the newest first.',
        parameters: [parameter('past', 'query', { enum: ['true', 'false'], default: 'false' }), ...limits],
        responses: {
          '200': answer('A page.', 'PullList'),
          ...unchanged,
          '400': answer('No such page.', 'Error'),
          ...refusals,
        },
      },
    },
    '/pulls/{namespace}/{name}': {
      get: {
        summary: 'One pull with its nodes, by name.',
        parameters: [
          parameter('namespace', 'path', text),
          parameter('name', 'path', text),
          parameter('node', 'query', text, 'Only this one.'),
          ...limits,
        ],
        responses: {
          '200': answer('A page of nodes.', 'PullWithNodes'),
          ...unchanged,
          '400': answer('No such page.', 'Error'),
          '404': answer('No such pull now.', 'Error'),
          ...refusals,
        },
      },
    },
    '/events': {
      get: {
        summary: 'Each change as it comes.',
        parameters: [
          parameter('Last-Event-ID', 'header', text),
          parameter('after', 'query', text, 'The same, for a first call.'),
        ],
        responses: {
          '200': { description: EVENTS, content: { 'text/event-stream': { schema: text } } },
          '503': answer('Too many listeners.', 'Error'),
          ...refusals,
        },
      },
    },
    '/openapi.json': {
      get: { summary: 'This document.', responses: { '200': { description: 'OpenAPI 3.1.' }, ...refusals } },
    },
  },
  components: {
    schemas,
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'prepuller-session' },
    },
  },
} as const;
