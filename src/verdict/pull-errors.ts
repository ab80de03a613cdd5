/**
 * What a pull error means: classes by the wordings of containerd, CRI-O and docker and of the registries behind them, in the
 * order they are asked. A text nobody knows is one that may pass.
 */

export const PULL_ERROR_KINDS = [
  'platform',
  'disk',
  'runtime',
  'busy',
  'setup',
  'connection',
  'credentials',
  'invalid',
  'never',
  'missing',
  'unknown',
] as const;
export type PullErrorKind = (typeof PULL_ERROR_KINDS)[number];

interface PullErrorClass {
  kind: PullErrorKind;
  /** The kubelet's own reasons that say it without a text. */
  reasons?: readonly string[];
  wordings: readonly RegExp[];
  /** What to do, in one sentence. */
  fix: string;
}

/** First match wins: an answer that names the platform also ends in "not found", a token endpoint can answer 404. */
export const PULL_ERRORS: readonly PullErrorClass[] = [
  {
    kind: 'platform',
    wordings: [
      /no match for platform in manifest/i,
      /no matching manifest for /i,
      /no image found in (?:manifest list|image index) for architecture/i,
      /image operating system .* cannot be used on this platform/i,
    ],
    fix: 'Build the image for this platform too, or keep the puller off these nodes with a node selector.',
  },
  {
    kind: 'disk',
    wordings: [/no space left on device/i, /disk quota exceeded/i],
    fix: 'Free disk space on the node, or give it a larger disk.',
  },
  {
    kind: 'runtime',
    wordings: [
      /dial unix /i,
      /failed to (?:unpack image on snapshotter|extract layer|prepare extraction snapshot)/i,
      /content digest \S+: not found/i,
      /pull QPS exceeded/i,
    ],
    fix: 'The container runtime of the node is at fault: look at its log.',
  },
  {
    kind: 'busy',
    reasons: ['RegistryUnavailable'],
    wordings: [
      /too ?many ?requests/i,
      /rate limit|rate exceeded/i,
      /\b50[0234]\b[: ]*(?:internal server error|bad gateway|service unavailable|gateway time-?out)/i,
      /status(?: code)?(?: from \w+ request to \S+)?(?: \[[^\]]*\])?:? ?(?:429|5\d\d)\b/i,
    ],
    fix: 'The registry is busy or limits the rate: pull with an account, or through a mirror.',
  },
  {
    kind: 'setup',
    reasons: ['SignatureValidationFailed'],
    wordings: [
      /x509:/i,
      /tls: failed to verify certificate/i,
      /server gave HTTP response to HTTPS client/i,
      /no such host/i,
      /unsupported protocol scheme/i,
      /short-name .* did not resolve|no unqualified-search registries/i,
      /source image rejected|signature was required/i,
    ],
    fix: 'Check the host name, and that the nodes trust the registry: its certificate authority, or plain HTTP allowed.',
  },
  {
    kind: 'connection',
    wordings: [
      /i\/o timeout/i,
      /connection (?:refused|reset|timed out)/i,
      /TLS handshake (?:timeout|failure)/i,
      /context deadline exceeded/i,
      /Client\.Timeout exceeded/i,
      /request canceled while waiting/i,
      /\bEOF\b/,
      /server misbehaving/i,
      /temporary failure in name resolution/i,
      /no route to host|(?:network|host) is unreachable/i,
      /broken pipe/i,
      /client connection lost/i,
    ],
    fix: 'Check the way from the node to the registry: DNS, proxy, firewall.',
  },
  {
    kind: 'credentials',
    wordings: [
      /failed to authorize/i,
      /\bunauthorized\b/i,
      /\b401\b/,
      /\b403\b|\bforbidden\b/i,
      /\bdenied\b/i,
      /authentication required|authorization failed|unauthenticated request/i,
      /no basic auth credentials/i,
      /error getting credentials|unable to retrieve auth token/i,
      /invalid username\/password|authorization token has expired/i,
    ],
    fix: 'Check that the repository exists and that the pull secret, or the identity of the nodes, may read it.',
  },
  {
    kind: 'invalid',
    reasons: ['InvalidImageName'],
    wordings: [/invalid reference format/i, /couldn't parse image name/i, /repository name \(.*\) must be lowercase/i],
    fix: 'Correct the image reference.',
  },
  {
    kind: 'never',
    reasons: ['ErrImageNeverPull'],
    wordings: [/is not present with pull policy of never/i],
    fix: 'Set another pull policy than Never, or put the image on the nodes beforehand.',
  },
  {
    kind: 'missing',
    wordings: [
      /manifest unknown|manifest_unknown/i,
      /(?:repository )?name (?:unknown|invalid)|name_unknown/i,
      /repository (?:\S+ )?does not exist/i,
      /named manifest is not known/i,
      /not found/i,
      /\b404\b/,
    ],
    fix: 'Check the tag and the repository, and that the build that pushes them has succeeded.',
  },
];

const UNKNOWN_FIX = 'Look at the events of the pod, and at the log of the container runtime.';

/** What to do about an error of a class. */
export function fixOf(kind: PullErrorKind): string {
  return PULL_ERRORS.find((entry) => entry.kind === kind)?.fix ?? UNKNOWN_FIX;
}

/** The class of an error by the kubelet's reason and the text, in which the image's own name says nothing. */
export function classify(reason: string, text: string, image: string): PullErrorKind {
  const byReason = PULL_ERRORS.find(({ reasons }) => reasons?.includes(reason) === true);
  if (byReason !== undefined) return byReason.kind;
  const words = withoutNames(text, image);
  return PULL_ERRORS.find(({ wordings }) => wordings.some((wording) => wording.test(words)))?.kind ?? 'unknown';
}

/** An image may be called `denied` and its tag `404`: its reference, parts of it and URLs are taken out first. */
function withoutNames(text: string, image: string): string {
  const [untagged = ''] = image.split('@');
  const repository = untagged.replace(/:[^:/]*$/, '');
  const path = repository.split('/').slice(-2).join('/');
  const names = [image, untagged, ...[repository, path].filter((name) => name.includes('/'))].filter(
    (name) => name !== '',
  );
  const bare = text.replace(/\bhttps?:\/\/[^\s"]+/g, 'URL');
  return names.reduce((rest, name) => rest.replaceAll(name, 'IMAGE'), bare);
}

/** `classify` that knows a text again: within one look thousands of nodes say the same. */
export function classifier(): typeof classify {
  const known = new Map<string, PullErrorKind>();
  return (reason, text, image) => {
    const key = `${reason} ${image} ${text}`;
    const kind = known.get(key) ?? classify(reason, text, image);
    known.set(key, kind);
    return kind;
  };
}
