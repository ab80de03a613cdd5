/** Wordings of runtimes and registries, one row each: what class they are of, and what people are told to do. */
import { classify, fixOf, PULL_ERROR_KINDS, PULL_ERRORS } from '../../src/verdict/pull-errors.ts';
import { adviceFor, REGISTRIES } from '../../src/verdict/registries.ts';
import { WORDINGS } from './wordings.ts';

test.each(WORDINGS)('%s: %s: %s', (kind, _, text) => {
  expect(classify('ErrImagePull', text, 'IMG')).toBe(kind);
});

test.each([
  ['RegistryUnavailable', 'busy'],
  ['SignatureValidationFailed', 'setup'],
  ['InvalidImageName', 'invalid'],
  ['ErrImageNeverPull', 'never'],
])('the reason %s alone is %s', (reason, kind) => {
  expect(classify(reason, '', 'q/x:1')).toBe(kind);
});

describe('an image’s own name says nothing', () => {
  test.each([
    ['q.example/denied/not-found:429', 'q.example/denied/not-found:429: the moon'],
    ['q.example/denied/x:1', 'could not read denied/x: the moon'],
    ['q.example/a/unauthorized@sha256:1', 'q.example/a/unauthorized: the moon'],
    ['x:404', 'x:404 and the moon'],
    ['q.example/a/x:1', 'Get "https://q.example/v2/404/unauthorized": the moon'],
  ])('%s', (image, text) => {
    expect(classify('ErrImagePull', text, image)).toBe('unknown');
  });

  test('a short name keeps the words around it', () => {
    expect(classify('ErrImagePull', 'x:1: not found', 'x:1')).toBe('missing');
    expect(classify('ErrImagePull', 'access denied', 'denied:1')).toBe('credentials');
    expect(classify('ErrImagePull', 'not found', '')).toBe('missing');
  });
});

test('every class has something to do, and only unknown text has none of its own', () => {
  expect(new Set(PULL_ERROR_KINDS)).toEqual(new Set([...PULL_ERRORS.map(({ kind }) => kind), 'unknown']));
  expect(new Set(PULL_ERROR_KINDS.map(fixOf)).size).toBe(PULL_ERROR_KINDS.length);
  for (const kind of PULL_ERROR_KINDS) expect(fixOf(kind)).toMatch(/^[A-Z].*\.$/);
});

describe('what to do at a registry', () => {
  test.each([
    ['jupyter/base-notebook:1', 'Docker Hub'],
    ['x:1', 'Docker Hub'],
    ['docker.io/jupyter/base-notebook:1', 'Docker Hub'],
    ['quay.io/a/nb:1', 'Quay'],
    ['ghcr.io/a/nb:1', 'GHCR'],
    ['123.dkr.ecr.eu-west-1.amazonaws.com/nb:1', 'ECR'],
    ['123.dkr.ecr-fips.us-gov-west-1.amazonaws.com/nb:1', 'ECR'],
    ['123.dkr.ecr.cn-north-1.amazonaws.com.cn/nb:1', 'ECR'],
    ['public.ecr.aws/a/nb:1', 'ECR'],
    ['europe-docker.pkg.dev/p/r/nb:1', 'GAR'],
    ['eu.gcr.io/p/nb:1', 'GAR'],
    ['gcr.io/p/nb:1', 'GAR'],
    ['a.azurecr.io/nb:1', 'ACR'],
    ['a.azurecr.cn/nb:1', 'ACR'],
  ])('%s is at %s', (image, name) => {
    const registry = REGISTRIES.find((entry) => entry.name === name);
    expect(registry?.fixes.credentials).toMatch(/\w/);
    expect(adviceFor('credentials', image)).toBe(registry?.fixes.credentials);
  });

  test.each([
    ['harbor.example/a/nb:1'],
    ['nexus.example:8443/nb:1'],
    ['localhost/nb:1'],
    ['notquay.io/nb:1'],
    ['quay.io.example/nb:1'],
    ['mygcr.io/nb:1'],
  ])('%s is at none that is known', (image) => {
    expect(adviceFor('credentials', image)).toBe(fixOf('credentials'));
  });

  test('a port does not hide the registry; other classes get the general advice', () => {
    expect(adviceFor('credentials', 'quay.io:443/a/nb:1')).toContain('Quay');
    expect(adviceFor('missing', 'quay.io/a/nb:1')).toBe(fixOf('missing'));
    expect(adviceFor('missing', '1.dkr.ecr.eu-west-1.amazonaws.com/nb:1')).toContain('lifecycle');
  });
});
