/** Advice by registry: hosts that only look like a registry's get the general one; wordings that come in several spellings. */
import { classify, fixOf } from '../../src/verdict/pull-errors.ts';
import { adviceFor } from '../../src/verdict/registries.ts';

test.each([
  ['docker.io.example/a/x:1'],
  ['my.docker.io/a/x:1'],
  ['my.ghcr.io/a/x:1'],
  ['ghcr.io.example/a/x:1'],
  ['1.dkr.ecr.eu-west-1.amazonaws.com.example/x:1'],
  ['my.public.ecr.aws/x:1'],
  ['public.ecr.aws.example/x:1'],
  ['europe-docker.pkg.dev.example/x:1'],
  ['mydocker.pkg.dev/x:1'],
  ['gcr.io.example/x:1'],
  ['a.azurecr.io.example/x:1'],
])('%s is at none that is known', (image) => {
  expect(adviceFor('credentials', image)).toBe(fixOf('credentials'));
});

test.each([
  ['docker.pkg.dev/x:1', /artifactregistry\.reader/],
  ['localhostess/x:1', /^Docker Hub says/],
  ['mylocalhost/x:1', /^Docker Hub says/],
])('%s is told %s', (image, advice) => {
  expect(adviceFor('credentials', image)).toMatch(advice);
});

test('a busy Docker Hub limits anonymous pulls', () => {
  expect(adviceFor('busy', 'a/x:1')).toMatch(/^Docker Hub limits anonymous pulls: /);
});

test.each([
  ['busy', 'toomanyrequests'],
  ['busy', 'too manyrequests'],
  ['busy', 'toomany requests'],
  ['busy', '429 Too Many Requests'],
  ['busy', '500:internal server error'],
  ['busy', '502: bad gateway'],
  ['busy', '503  Service Unavailable'],
  ['busy', '504 Gateway Timeout'],
  ['busy', '504 gateway time-out'],
  ['unknown', '501 Bad Gateway'],
  ['busy', 'bad status: 503'],
  ['busy', 'bad status503'],
  ['busy', 'status code 429'],
  ['busy', 'status code [manifests 1.0]: 503'],
  ['busy', 'status from HEAD request to URL: 502'],
  ['busy', 'received unexpected HTTP status: 500'],
  ['unknown', 'status 5000'],
  ['setup', 'short-name "x" did not resolve'],
  ['invalid', 'repository name (library/NB) must be lowercase'],
  ['missing', 'repository does not exist'],
  ['missing', 'repository team/nb does not exist'],
  ['missing', 'repository team/nb not found'],
])('%s: %s', (kind, text) => {
  expect(classify('ErrImagePull', text, 'q.example/y:1')).toBe(kind);
});

test.each([
  ['q.example/a/x:1', 'Get "http://q.example/v2/404/unauthorized": the moon'],
  ['q.example:5000/a/x', 'could not read q.example:5000/a/x at all'],
  ['q.example/denied/x:v12', 'could not read denied/x'],
  ['q.example:5000/denied/x:1', 'could not read denied/x'],
])('the name %s says nothing in %s', (image, text) => {
  expect(classify('ErrImagePull', text, image)).toBe('unknown');
});
