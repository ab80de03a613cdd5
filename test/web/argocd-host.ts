/**
 * A page that offers an extension what Argo CD's offers: React 16, `extensionsAPI`, a theme by class, objects that are new at each
 * render; and a server that relays as argocd-server does, for who has the headers, without cookies and with the secret.
 */
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';
import { SECRET } from './argocd-site.ts';

export const EXTENSION = readFileSync(join(ROOT, 'dist/argocd/extension-argocd-prepuller.js'), 'utf8');
const react = ['react/umd/react.development.js', 'react-dom/umd/react-dom.development.js'].map((file) =>
  readFileSync(join(ROOT, 'node_modules', file), 'utf8'),
);

/** Keeps what extensions register, and shows it as Argo CD's pages do. */
export const HOST = `
${react.join('\n')}
const tabs = [], panels = [];
window.extensionsAPI = {
  registerResourceExtension: (component, group, kind, title, options) => tabs.push({ component, group, kind, title, ...options }),
  registerStatusPanelExtension: (component, title, id, flyout) => panels.push({ component, title, id, flyout }),
};
const e = React.createElement;
window.host = { tabs, panels, application: {}, resource: undefined, theme: 'light', flyout: false };
window.show = (changes = {}) => {
  Object.assign(host, changes);
  const { application, resource, theme, flyout } = host;
  const copy = (object) => JSON.parse(JSON.stringify(object));
  const openFlyout = () => show({ flyout: true });
  ReactDOM.render(e('div', { className: 'theme-' + theme },
    e('main', {}, e('h1', {}, application.metadata.name),
      e('div', { className: 'application-status-panel row', id: 'panel' },
        panels.map(({ id, component }) => e(component, { key: id, application: copy(application), openFlyout }))),
      resource && e('div', { id: 'tab' },
        tabs.map(({ title, component }) => e(component, { key: title, application: copy(application), resource: copy(resource), tree: {} }))),
      flyout && e('div', { id: 'flyout' },
        panels.map(({ id, flyout: component }) => e(component, { key: id, application: copy(application), tree: {} })))),
  ), document.getElementById('app'));
};
`;

/** Its own style is nothing an extension should take on. */
export function pageAt(base: string): string {
  const style =
    '.theme-dark { background: #100f0f; color: #fff } h2, a, #tab > div { text-transform: uppercase } body { margin: 0; font-family: sans-serif } main { padding: 1rem } #panel { font-size: 0.9rem; margin-bottom: 1rem }';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Argo CD</title><base href="${base}">
<link rel="icon" href="data:,"><style>${style}</style></head><body><div id="app"></div>
<script src="host.js"></script><script src="extensions.js"></script></body></html>`;
}

export type Answers = 'relayed' | 'without rights' | 'not set up' | 'down';

export interface ArgoCdHost {
  url: string;
  /** What becomes of requests to the extension. */
  answers: Answers;
  /** Where it relays to. */
  backend: string;
  /** Paths and headers that were relayed. */
  asked: { path: string; headers: IncomingMessage['headers'] }[];
  /** Ends everything that is being relayed. */
  cut(): void;
  stop(): Promise<void>;
}

/** `base`: where Argo CD is served, as `--rootpath` says. */
export async function startHost(backend: string, base = '/'): Promise<ArgoCdHost> {
  const open = new Set<IncomingMessage | ServerResponse>();
  const server = createServer((asked, response) => {
    const path = (asked.url ?? '').slice(base.length - 1);
    if (path.startsWith('/extensions/')) answer(host, open, { asked, response, path });
    else if (path === '/host.js') response.setHeader('content-type', 'text/javascript').end(HOST);
    else if (path === '/extensions.js') response.setHeader('content-type', 'text/javascript').end(EXTENSION);
    else response.setHeader('content-type', 'text/html').end(pageAt(base));
  });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.listen(0, '127.0.0.1', () => {
    resolve(undefined);
  });
  await promise;
  const host: ArgoCdHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    answers: 'relayed',
    backend,
    asked: [],
    cut() {
      for (const one of open) one.destroy();
      open.clear();
    },
    async stop() {
      const closed = new Promise<unknown>((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
  return host;
}

interface Exchange {
  asked: IncomingMessage;
  response: ServerResponse;
  path: string;
}

function answer(
  host: ArgoCdHost,
  open: Set<IncomingMessage | ServerResponse>,
  { asked, response, path }: Exchange,
): void {
  const application = asked.headers['argocd-application-name'];
  const isComplete = application !== undefined && asked.headers['argocd-project-name'] === 'default';
  if (host.answers === 'not set up') response.setHeader('content-type', 'text/html').end(pageAt('/'));
  else if (!isComplete) response.writeHead(400).end('Invalid headers');
  else if (host.answers === 'without rights') {
    response.writeHead(401, { 'content-type': 'text/plain' }).end('Unauthorized extension request\n');
  } else if (host.answers === 'down') response.writeHead(502).end();
  else {
    const own = { 'argocd-prepuller-secret': SECRET, 'argocd-namespace': 'argocd' };
    const headers = { ...asked.headers, cookie: '', authorization: '', ...own };
    const to = path.replace('/extensions/argocd-prepuller', '');
    host.asked.push({ path: to, headers: asked.headers });
    const relayed = request(host.backend + to, { headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
      open.add(answered).add(response);
      answered.on('error', () => response.destroy());
    });
    relayed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => relayed.destroy());
    relayed.end();
  }
}
