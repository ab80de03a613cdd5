/** Rows 12 and 13: images that are refused. A title opens with the row it proves; docs/rules.md lists them. */
import {
  backOff,
  CREATING,
  event,
  failedPull,
  NOT_FOUND,
  pod,
  pulledPod,
  puller,
  successfulPull,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt } from './look.ts';
import { IMAGE, n1, one, OTHER } from './stories.ts';

describe('rows 12 and 13: refused', () => {
  const UNAUTHORIZED = 'failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized';
  const failing = (text: string, first: number, last: number): Raw[] => {
    const stuck = pod('n1', { containers: [backOff(IMAGE, text)] });
    return [puller({ desired: 2 }), stuck, failedPull(stuck, text, first, last)];
  };
  test.each<[string, Raw[], number, string]>([
    ['row 12: missing, newest attempt within the window', failing(NOT_FOUND(), 5, 75), 130, 'pulling Retrying 12'],
    ['row 12: missing, tried again after the window', failing(NOT_FOUND(), 5, 155), 156, 'failed ImageMissing 12'],
    [
      'row 12: missing, long after but not tried again for all we know',
      failing(NOT_FOUND(), 5, 75),
      300,
      'pulling Retrying 12',
    ],
    [
      'row 12: missing, the kubelet must have tried again',
      failing(NOT_FOUND(), 5, 75),
      75 + 360,
      'failed ImageMissing 12',
    ],
    [
      'row 12: invalid, at once',
      one(waiting('InvalidImageName', 'invalid reference format')),
      3,
      'failed ImageInvalid 12',
    ],
    [
      'row 12: never pulled, at once',
      one(waiting('ErrImageNeverPull', 'not present with pull policy of Never')),
      3,
      'failed ImageNeverPulled 12',
    ],
    ['row 13: credentials, within the window', failing(UNAUTHORIZED, 5, 75), 80, 'pulling Retrying 13'],
    ['row 13: credentials', failing(UNAUTHORIZED, 5, 155), 156, 'failed CredentialsRefused 13'],
    [
      'row 13: certificate',
      failing('tls: failed to verify certificate: x509: certificate signed by unknown authority', 5, 155),
      156,
      'failed RegistrySetup 13',
    ],
    [
      'row 13: plain HTTP',
      failing('http: server gave HTTP response to HTTPS client', 5, 155),
      156,
      'failed RegistrySetup 13',
    ],
    [
      'row 13: unknown host',
      failing('dial tcp: lookup nowhere.example on 10.0.0.10:53: no such host', 5, 155),
      156,
      'failed RegistrySetup 13',
    ],
  ])('%s', (_, objects, now, expected) => {
    expect(n1(objects, { now })).toBe(expected);
  });

  test('row 12: one failed image settles the node while others are on their way', () => {
    const images = [IMAGE, OTHER];
    const stuck = pod('n1', { images, containers: [backOff(IMAGE, NOT_FOUND()), CREATING] });
    expect(n1([puller({ images }), stuck, failedPull(stuck, NOT_FOUND(), 5, 155)], { now: 156 })).toBe(
      'failed ImageMissing 12',
    );
  });

  test('row 12: while another image of the pod is pulled, only an attempt that was seen counts', () => {
    const images = [IMAGE, OTHER];
    const stuck = pod('n1', { images, containers: [backOff(IMAGE, NOT_FOUND()), CREATING] });
    const objects = [puller({ images }), stuck, failedPull(stuck, NOT_FOUND(), 5, 75)];
    expect(n1(objects, { now: 3000 })).toBe('pulling Retrying 12');
  });

  const other = pulledPod('n2');
  test.each<[string, Raw[], string]>([
    ['another node pulled it from the registry', [other, successfulPull(other)], 'tolerated OwnWayBroken 12'],
    [
      'another node had it already',
      [other, event(other, 'Pulled', `Container image "${IMAGE}" already present on machine`, 5)],
      'failed ImageMissing 12',
    ],
    ['another node has it, nobody saw from where', [other], 'failed ImageMissing 12'],
  ])('row 12: %s', (_, more, expected) => {
    expect(n1([...failing(NOT_FOUND(), 5, 155), ...more], { now: 156 })).toBe(expected);
  });

  test('row 12: what a node pulled under this puller is remembered when the event is gone', () => {
    const seen = lookAt([...failing(NOT_FOUND(), 5, 75), other, successfulPull(other)], { now: 80 });
    expect(n1([...failing(NOT_FOUND(), 5, 155), other], { now: 156, facts: seen.facts })).toBe(
      'tolerated OwnWayBroken 12',
    );
  });

  test('row 12: with pull policy Always, a node that has it asked the registry', () => {
    const stuck = pod('n1', { always: true, containers: [backOff(IMAGE, NOT_FOUND())] });
    const objects = [
      puller({ desired: 2, always: true }),
      stuck,
      failedPull(stuck, NOT_FOUND(), 5, 155),
      pulledPod('n2', { always: true }),
    ];
    expect(n1(objects, { now: 156 })).toBe('tolerated OwnWayBroken 12');
  });
});
