/** Whole pages as the server sends them: they say everything without a script, and take changes from one where it runs. */
import { html } from './html.ts';
import type { Markup } from './html.ts';
import type { Assets } from './assets.ts';
import type { Pull, PullNode } from './pull.ts';
import { REASONS } from '../api/reasons.ts';
import { showCommit, showHealth, showPull, showSince } from './show-pull.ts';
import { groupOf, spanText, whatToDo } from './words.ts';

export interface Frame {
  assets: Pick<Assets, 'script' | 'style' | 'icon'>;
  now: number;
  /** The newest event in what the page shows. */
  lastId: string;
  /** Somebody is signed in who may want to sign out. */
  signedIn: boolean;
}

/** A pull with its cells, made before since they are many. */
export interface Shown {
  pull: Pull;
  cells: Markup;
}

export function showOverview(frame: Frame, pulls: readonly Shown[], past: readonly Pull[]): string {
  return page(
    frame,
    'Image pulls',
    html`<h1>Image pulls</h1>
      <div id="pulls">${pulls.map((shown) => showArticle(shown, frame.now))}</div>
      ${pulls.length === 0 ? showNone() : html``} ${showPast(past)}`,
  );
}

/** `node`: the one that is looked at; undefined for none, null for one that is not there. */
export function showOne(frame: Frame, shown: Shown, node: PullNode | null | undefined): string {
  const { namespace, name } = shown.pull;
  return page(
    frame,
    `${namespace}/${name}`,
    html`<h1><a href="/">Image pulls</a></h1>
      ${node === undefined ? html`` : showNode(node, frame.now)} ${showArticle(shown, frame.now)}`,
  );
}

export function showNone(): Markup {
  return html`<p class="none">
    No pull is known. A puller appears here as soon as Argo CD applies one; the verdicts of before are on the
    DaemonSets.
  </p>`;
}

export function showArticle({ pull, cells }: Shown, now: number): Markup {
  const key = `${pull.namespace}/${pull.name}`;
  return html`<article class="pull" aria-label="${key}" data-pull="${key}" data-uid="${pull.uid}">
    <div class="head">${showPull(pull, now)}</div>
    ${cells}
  </article>`;
}

/** Null: there is no such node. */
export function showNode(node: PullNode | null, now: number): Markup {
  if (node === null) return html`<section id="node" aria-label="Node"><p>This pull has no such node.</p></section>`;
  const { sign, title, kind } = groupOf(node);
  const row = (name: string, value: Markup | string): Markup =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<section id="node" class="${kind}" aria-label="Node ${node.node}" data-node="${node.node}">
    <h2>Node ${node.node}</h2>
    <dl class="facts">
      ${row('State', html`<span aria-hidden="true">${sign}</span> ${title}`)}
      ${row('Image', node.image === undefined ? 'not about one image' : html`<code>${node.image}</code>`)}
      ${row('What it is doing', node.message)} ${row('Since', showSince(node.since, now))}
      ${node.error === undefined ? html`` : row('Last error', html`<code class="error">${node.error}</code>`)}
      ${row('What to do', whatToDo(node))} ${row('Reason', `${node.reason}: ${REASONS[node.reason]}`)}
    </dl>
  </section>`;
}

export function showPast(past: readonly Pull[]): Markup {
  if (past.length === 0) return html``;
  const rows = past.map(
    (pull) =>
      html`<tr>
        <td>${pull.namespace}/${pull.name}</td>
        <td>${pull.application}</td>
        <td>${showCommit(pull) ?? html`–`}</td>
        <td>${showHealth(pull)}</td>
        <td>${pull.message}</td>
        <td>${spanText(Date.parse(pull.endedAt ?? pull.startedAt) - Date.parse(pull.startedAt))}</td>
        <td><time datetime="${pull.endedAt}">${pull.endedAt}</time></td>
      </tr>`,
  );
  const heads = ['Puller', 'Application', 'Commit', 'Verdict', 'Message', 'Took', 'Ended'];
  return html`<section id="past" aria-label="Past pulls">
    <h2>Past pulls</h2>
    <div class="scroll" role="region" aria-label="Past pulls, table" tabindex="0">
      <table>
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </section>`;
}

export function showSignIn(assets: Frame['assets'], next: string, wrong: boolean): string {
  const said = html`<p class="wrong" id="wrong" role="alert">
    That is not the token. It is in the file that the controller was started with: --token-file.
  </p>`;
  return bare(
    assets,
    'Sign in',
    html`<main>
      <h1>Image pulls</h1>
      ${wrong ? said : html``}
      <form method="post" action="/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <label for="token">Token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          ${wrong ? html`aria-describedby="wrong"` : html``}
        />
        <button type="submit">Sign in</button>
      </form>
    </main>`,
  );
}

/** An answer of few words, such as that nothing is there. */
export function showNote(assets: Frame['assets'], title: string, text: string): string {
  return bare(
    assets,
    title,
    html`<main>
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="/">Image pulls</a></p>
    </main>`,
  );
}

function page({ assets, now, lastId, signedIn }: Frame, title: string, content: Markup): string {
  const out = html`<form method="post" action="/sign-out"><button type="submit">Sign out</button></form>`;
  const note = html`<noscript>This page does not change by itself: scripts are off. Reload it.</noscript>`;
  return bare(
    assets,
    title,
    html`<main data-now="${now}" data-last="${lastId}">${content}</main>
      <footer>
        <p id="line">${note}</p>
        <p id="news" role="status"></p>
        ${signedIn ? out : html``}
      </footer>
      <script type="module" src="${assets.script}"></script>`,
  );
}

function bare({ style, icon }: Frame['assets'], title: string, content: Markup): string {
  const document = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <link rel="icon" href="${icon}" />
      <link rel="stylesheet" href="${style}" />
    </head>
    <body>
      ${content}
    </body>
  </html>`;
  return `<!doctype html>\n${document.markup}\n`;
}
