/** What stands above the cells of a pull: which it is, how it stands, what holds it back. Made by the server first, then in the page. */
import { REASONS } from '../api/reasons.ts';
import { html } from './html.ts';
import type { Markup } from './html.ts';
import type { Fate, Pull } from './pull.ts';
import { groupOf, HEALTH_SIGNS, remainingText, spanText, whatToDo } from './words.ts';

/** Texts for one look at a pull. */
export function showPull(pull: Pull, now: number): Markup {
  return html`<header>
      <h2><a href="${pathOf(pull)}">${pull.namespace}/${pull.name}</a></h2>
      ${showHealth(pull)}
    </header>
    <p class="message">${pull.message}</p>
    <dl class="facts">
      ${fact('Application', pull.application === '' ? undefined : html`${pull.application}`)}
      ${fact('Commit', showCommit(pull))} ${fact('Progress', showProgress(pull))}
      ${fact(pull.endedAt === undefined ? 'Elapsed' : 'Took', showElapsed(pull, now))}
      ${fact('Remaining', showRemaining(pull, now))}
    </dl>
    ${showImages(pull)} ${showOpen(pull, now)}`;
}

export function pathOf({ namespace, name }: Pick<Pull, 'namespace' | 'name'>): string {
  return `/pulls/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}

export function nodePath(pull: Pick<Pull, 'namespace' | 'name'>, node: string): string {
  return `${pathOf(pull)}?node=${encodeURIComponent(node)}`;
}

export function showHealth({ health, reason }: Pick<Pull, 'health' | 'reason'>): Markup {
  return html`<p class="health ${health.toLowerCase()}">
    <span aria-hidden="true">${HEALTH_SIGNS[health]}</span> <b>${health}</b> <span>${REASONS[reason]}</span>
  </p>`;
}

function fact(name: string, value: Markup | undefined): Markup {
  return value === undefined
    ? html``
    : html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
}

export function showCommit({ commit, revision }: Pull): Markup | undefined {
  if (commit === undefined) return revision === undefined ? undefined : html`<code>${revision.slice(0, 12)}</code>`;
  const { hash, subject, url } = commit;
  const text = html`<code>${hash.slice(0, 8)}</code> ${subject}`;
  return url === undefined ? text : html`<a href="${url}" rel="noreferrer">${text}</a>`;
}

function showProgress({ counts, name }: Pull): Markup {
  const total = counts.pulled + counts.pulling + counts.tolerated + counts.failed;
  const rest = [
    [counts.failed, 'failed'],
    [counts.pulling, 'pulling'],
    [counts.tolerated, 'tolerated'],
  ] as const;
  const words = rest.filter(([count]) => count > 0).map(([count, word]) => `, ${count} ${word}`);
  const label = `Nodes of ${name} that are pulled`;
  return html`<progress max="${Math.max(total, 1)}" value="${counts.pulled}" aria-label="${label}"></progress>
    ${counts.pulled} of ${total} nodes pulled${words.join('')}`;
}

function showElapsed({ startedAt, endedAt }: Pull, now: number): Markup {
  const start = Date.parse(startedAt);
  if (endedAt !== undefined) return html`${spanText(Date.parse(endedAt) - start)}`;
  return html`<span data-from="${start}">${spanText(now - start)}</span>`;
}

function showRemaining(pull: Pull, now: number): Markup | undefined {
  const text = remainingText(pull, now);
  return text === undefined ? undefined : html`${text}`;
}

function showImages({ images, counts, name }: Pull): Markup {
  const wanted = counts.pulled + counts.pulling + counts.failed;
  const rows = images.map(({ image, nodes }) => {
    const of = Math.max(wanted, nodes);
    return html`<li>
      <progress max="${Math.max(of, 1)}" value="${nodes}" aria-label="Nodes that have ${image}"></progress>
      <span class="share">${nodes} of ${of}</span> <code>${image}</code>
    </li>`;
  });
  return rows.length === 0
    ? html``
    : html`<ul class="images" aria-label="Images of ${name}">
        ${rows}
      </ul>`;
}

function showOpen(pull: Pull, now: number): Markup {
  if (pull.open.length === 0) return html``;
  const rows = pull.open.map((fate) => showFate(pull, fate, now));
  const title = pull.health === 'Healthy' ? 'Not pulled' : 'What it waits for, and what is wrong';
  return html`<div class="scroll" role="region" aria-label="${title}: ${pull.namespace}/${pull.name}" tabindex="0">
    <table class="open">
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Node</th>
          <th scope="col">Image</th>
          <th scope="col">Why</th>
          <th scope="col">Since</th>
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${pull.openMore > 0 ? html`<p>and ${pull.openMore} more nodes, each in its own way</p>` : html``}
  </div>`;
}

function showFate(pull: Pull, fate: Fate, now: number): Markup {
  const { sign, title, kind } = groupOf(fate);
  const names = fate.nodes.map(
    (node, index) => html`${index === 0 ? '' : ', '}<a href="${nodePath(pull, node)}">${node}</a>`,
  );
  const more = fate.count - fate.nodes.length;
  const count = fate.count === 1 ? '' : `${fate.count} nodes: `;
  return html`<tr class="${kind}">
    <td><span aria-hidden="true">${sign}</span> ${title}</td>
    <td>${count}${names}${more > 0 ? ` and ${more} more` : ''}</td>
    <td>${fate.image === undefined ? '–' : html`<code>${fate.image}</code>`}</td>
    <td>${fate.message}</td>
    <td>${showSince(fate.since, now)}</td>
    <td>${whatToDo(fate)}</td>
  </tr>`;
}

/** The time of day for logs, how long ago for people. */
export function showSince(since: string | undefined, now: number): Markup {
  if (since === undefined) return html`–`;
  return html`<time datetime="${since}">${since.slice(11, 19)} UTC</time>, ${spanText(now - Date.parse(since))}`;
}
