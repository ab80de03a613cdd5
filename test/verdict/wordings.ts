/** What runtimes and registries say, and of which class it is: kind, who says it, text. */
import type { PullErrorKind } from '../../src/verdict/pull-errors.ts';

const containerd = (text: string, image = 'IMG'): string =>
  `rpc error: code = Unknown desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${text}`;
const crio = (text: string): string => `initializing source docker://IMG: reading manifest 1 in IMG: ${text}`;
const docker = (text: string): string => `Error response from daemon: ${text}`;

export const WORDINGS: [PullErrorKind, string, string][] = [
  [
    'missing',
    'containerd',
    'rpc error: code = NotFound desc = failed to pull and unpack image "IMG": failed to resolve reference "IMG": IMG: not found',
  ],
  ['missing', 'CRI-O', crio('manifest unknown')],
  ['missing', 'docker', docker('manifest for IMG not found: manifest unknown: manifest unknown')],
  ['missing', 'Docker Hub', containerd('docker.io/library/x:1: not found')],
  ['missing', 'Quay', crio('manifest unknown: manifest unknown')],
  ['missing', 'GHCR', docker('manifest unknown')],
  [
    'missing',
    'ECR, tag',
    docker('manifest for 1.dkr.ecr.eu-west-1.amazonaws.com/x:1 not found: manifest unknown: Requested image not found'),
  ],
  [
    'missing',
    'ECR, repository',
    crio("name unknown: The repository with name 'x' does not exist in the registry with id '1'"),
  ],
  ['missing', 'GAR', crio('NAME_UNKNOWN: Repository "x" not found')],
  ['missing', 'ACR', crio('manifest unknown: manifest tagged by "1" is not found')],
  ['missing', 'Harbor', crio('unknown: artifact a/nb:1 not found')],
  ['missing', 'Nexus', docker('manifest for IMG not found: manifest unknown: manifest unknown')],
  ['missing', 'Artifactory', crio('manifest unknown: The named manifest is not known to the registry.')],
  [
    'missing',
    'status only',
    containerd('unexpected status from HEAD request to https://r.example/v2/x/manifests/1: 404 Not Found'),
  ],
  [
    'credentials',
    'containerd, token',
    containerd('failed to authorize: failed to fetch anonymous token: unexpected status: 404 Not Found'),
  ],
  [
    'credentials',
    'containerd, 401',
    containerd('pulling from host r.example failed with status code [manifests 1]: 401 Unauthorized'),
  ],
  [
    'credentials',
    'containerd, 403',
    containerd('unexpected status from HEAD request to https://r.example/v2/x/manifests/1: 403 Forbidden'),
  ],
  ['credentials', 'CRI-O', crio('requested access to the resource is denied')],
  [
    'credentials',
    'Docker Hub',
    docker(
      "pull access denied for x, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    ),
  ],
  [
    'credentials',
    'Docker Hub by containerd',
    containerd(
      'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    ),
  ],
  ['credentials', 'Quay', crio('unauthorized: access to the requested resource is not authorized')],
  ['credentials', 'GHCR', crio('denied: denied')],
  [
    'credentials',
    'ECR, none',
    docker('Get https://1.dkr.ecr.eu-west-1.amazonaws.com/v2/x/manifests/1: no basic auth credentials'),
  ],
  [
    'credentials',
    'ECR, old token',
    docker('denied: Your authorization token has expired. Reauthenticate and try again.'),
  ],
  [
    'credentials',
    'GAR',
    crio(
      'denied: Permission "artifactregistry.repositories.downloadArtifacts" denied on resource "x" (or it may not exist)',
    ),
  ],
  [
    'credentials',
    'GAR, anonymous',
    crio('Unauthenticated request. Unauthenticated requests do not have permission "x"'),
  ],
  [
    'credentials',
    'ACR',
    docker('unauthorized: authentication required, visit https://aka.ms/acr/authorization for more information.'),
  ],
  ['credentials', 'Harbor', docker('unauthorized: unauthorized to access repository: a/nb, action: pull')],
  [
    'credentials',
    'Nexus',
    docker(
      'Get https://nexus.example/v2/x/manifests/1: unauthorized: access to the requested resource is not authorized',
    ),
  ],
  ['credentials', 'Artifactory', crio('unauthorized: The client does not have permission for manifest')],
  [
    'credentials',
    'helper',
    'error getting credentials - err: exec: "docker-credential-ecr-login": executable file not found in $PATH',
  ],
  ['credentials', 'CRI-O, wrong password', 'unable to retrieve auth token: invalid username/password: unauthorized'],
  [
    'setup',
    'unknown authority',
    containerd(
      'failed to do request: Head "https://r.example/v2/x": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ),
  ],
  [
    'setup',
    'plain HTTP',
    containerd('failed to do request: Head "https://r.example/v2/x": http: server gave HTTP response to HTTPS client'),
  ],
  [
    'setup',
    'unknown host',
    'pinging container registry r.example: Get "https://r.example/v2/": dial tcp: lookup r.example on 10.0.0.10:53: no such host',
  ],
  [
    'setup',
    'CRI-O short name',
    'short-name "x:1" did not resolve to an alias and no unqualified-search registries are defined',
  ],
  ['setup', 'CRI-O signature', 'Source image rejected: A signature was required, but no signature exists'],
  ['setup', 'scheme', 'Get "foo://x": unsupported protocol scheme "foo"'],
  ['busy', 'Docker Hub', docker('toomanyrequests: You have reached your pull rate limit.')],
  [
    'busy',
    'containerd, 429',
    containerd('pulling from host r.example failed with status code [manifests 1]: 429 Too Many Requests'),
  ],
  [
    'busy',
    'containerd, 503',
    containerd('unexpected status from HEAD request to https://r.example/v2/x/manifests/1: 503 Service Unavailable'),
  ],
  [
    'busy',
    'containerd, 500 bare',
    containerd('unexpected status from GET request to https://r.example/v2/x/blobs/1: 500'),
  ],
  ['busy', 'docker, 5xx', docker('received unexpected HTTP status: 502 Bad Gateway')],
  ['busy', 'CRI-O, 504', crio('received unexpected HTTP status: 504 Gateway Time-out')],
  [
    'busy',
    'token endpoint',
    containerd('failed to authorize: failed to fetch oauth token: unexpected status: 503 Service Unavailable'),
  ],
  ['busy', 'ECR', 'toomanyrequests: Rate exceeded'],
  [
    'connection',
    'refused',
    containerd(
      'failed to do request: Head "http://127.0.0.1:1/v2/x": dial tcp 127.0.0.1:1: connect: connection refused',
    ),
  ],
  [
    'connection',
    'timeout',
    containerd('failed to do request: Head "https://r.example/v2/x": dial tcp 10.0.0.1:443: i/o timeout'),
  ],
  ['connection', 'reset', 'read tcp 10.0.0.1:1->10.0.0.2:443: read: connection reset by peer'],
  ['connection', 'handshake', 'net/http: TLS handshake timeout'],
  ['connection', 'deadline', 'rpc error: code = DeadlineExceeded desc = context deadline exceeded'],
  ['connection', 'EOF', 'failed to copy: httpReadSeeker: failed open: unexpected EOF'],
  ['connection', 'DNS', 'dial tcp: lookup r.example on 10.0.0.10:53: server misbehaving'],
  ['connection', 'resolver', 'dial tcp: lookup r.example: Temporary failure in name resolution'],
  ['connection', 'route', 'dial tcp 10.0.0.1:443: connect: no route to host'],
  ['connection', 'network', 'dial tcp 10.0.0.1:443: connect: network is unreachable'],
  [
    'connection',
    'docker client',
    docker(
      'Get https://r.example/v2/: net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
    ),
  ],
  [
    'connection',
    'token endpoint',
    containerd(
      'failed to authorize: failed to fetch anonymous token: Get "https://auth.example/token": dial tcp: i/o timeout',
    ),
  ],
  ['connection', 'pipe', 'write tcp 10.0.0.1:1->10.0.0.2:443: write: broken pipe'],
  ['connection', 'http2', 'http2: client connection lost'],
  [
    'platform',
    'containerd',
    'rpc error: code = NotFound desc = failed to pull and unpack image "IMG": no match for platform in manifest: not found',
  ],
  ['platform', 'containerd with digest', 'no match for platform in manifest sha256:1: not found'],
  ['platform', 'docker', docker('no matching manifest for linux/arm64/v8 in the manifest list entries')],
  [
    'platform',
    'CRI-O',
    'choosing an image from manifest list docker://IMG: no image found in manifest list for architecture arm64, variant "v8", OS linux',
  ],
  ['platform', 'CRI-O index', 'no image found in image index for architecture "arm64", variant "v8", OS "linux"'],
  ['platform', 'docker, Windows', docker('image operating system "windows" cannot be used on this platform')],
  ['disk', 'no space', 'failed to extract layer sha256:1: write /var/lib/x: no space left on device: unknown'],
  ['disk', 'quota', 'write /var/lib/x: disk quota exceeded'],
  [
    'runtime',
    'socket gone',
    'connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"',
  ],
  ['runtime', 'content store', 'failed to get reader from content store: content digest sha256:1: not found'],
  ['runtime', 'snapshotter', 'failed to unpack image on snapshotter overlayfs: unexpected media type'],
  ['runtime', 'layer', 'failed to extract layer sha256:1: mount callback failed: not found'],
  ['runtime', 'kubelet limit', 'pull QPS exceeded'],
  [
    'invalid',
    'containerd',
    'Failed to apply default image tag "q/NB": couldn\'t parse image name "q/NB": invalid reference format: repository name (NB) must be lowercase',
  ],
  ['never', 'kubelet', 'Container image "q/x:1" is not present with pull policy of Never'],
  ['unknown', 'anything else', 'the moon is in the way'],
  ['unknown', 'nothing', ''],
];
