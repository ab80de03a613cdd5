/** From the address a repository is cloned by to its page, without any credentials. */
import fc from 'fast-check';
import { repositoryPage } from '../../src/config/repository-page.ts';

const CANARY = 'canary-7f3a9c';
const PAGE = 'https://github.com/lab/hub';

test.each([
  ['https://github.com/lab/hub', PAGE],
  ['https://github.com/lab/hub.git', PAGE],
  ['https://github.com/lab/hub.git/', PAGE],
  [`https://x:${CANARY}@github.com/lab/hub.git`, PAGE],
  [`https://${CANARY}@github.com/lab/hub`, PAGE],
  [`https://x:with@sign-${CANARY}@github.com/lab/hub`, PAGE],
  [`https://github.com/lab/hub.git?token=${CANARY}#${CANARY}`, PAGE],
  ['git@github.com:lab/hub.git', PAGE],
  ['github.com:lab/hub', PAGE],
  [`git:${CANARY}@github.com:lab/hub.git`, PAGE],
  ['ssh://git@github.com:22/lab/hub.git', PAGE],
  [`ssh://git:${CANARY}@github.com/lab/hub.git`, PAGE],
  ['https://git.example:8443/lab/hub.git', 'https://git.example:8443/lab/hub'],
  ['http://git.example/lab/hub', 'http://git.example/lab/hub'],
  ['ssh://git@git.example:2222/lab/hub', 'https://git.example/lab/hub'],
])('%s', (address, page) => {
  expect(repositoryPage(address)).toBe(page);
});

test.each([
  '',
  'hub',
  '/srv/git/hub.git',
  'file:///srv/git/hub.git',
  'oci://registry.example/charts/hub',
  'https://github.com',
  'https://',
  `https://x:pass/word-${CANARY}@github.com/lab/hub`,
  `https://x/word-${CANARY}@github.com/lab/hub`,
  `git:pass/${CANARY}@github.com:lab/hub`,
])('no page: %s', (address) => {
  expect(repositoryPage(address)).toBeUndefined();
});

test('whatever the credentials are, they are not in it', () => {
  const secret = fc.string({ minLength: 6 }).map((text) => `${CANARY}${text}${CANARY}`);
  const scheme = fc.constantFrom('https://', 'ssh://', 'http://', '');
  fc.assert(
    fc.property(scheme, secret, fc.boolean(), (start, text, isUser) => {
      const separator = start === '' ? ':' : '/';
      const page = repositoryPage(`${start}${isUser ? text : `x:${text}`}@github.com${separator}lab/hub.git`);
      expect(page ?? '').not.toContain(CANARY);
    }),
    { numRuns: 2_000 },
  );
});
