/** What kubelet and containerd say when an image cannot be had: the shape of texts seen on kubelet 1.34 with containerd. */

function unpack(image: string, why: string): string {
  return `failed to pull and unpack image "${image}": ${why}`;
}

function resolve(image: string, why: string): string {
  return unpack(image, `failed to resolve reference "${image}": ${why}`);
}

function head(image: string, why: string): string {
  const [host = '', path = '', tag = ''] = parts(image);
  return resolve(image, `failed to do request: Head "https://${host}/v2/${path}/manifests/${tag}": ${why}`);
}

/** Host, path and tag as the registry's API is asked for them. */
function parts(image: string): string[] {
  const [, host = 'docker.io', path = image, tag = 'latest'] = /^([^/]+)\/(.+?)(?::([^/:]+))?$/.exec(image) ?? [];
  return [host, path, tag];
}

const grpcNotFound = (text: string): string => `rpc error: code = NotFound desc = ${text}`;

/** Image → the text of the error. */
export const PULL_ERRORS = {
  missing: (image: string) => grpcNotFound(resolve(image, `${image}: not found`)),
  wrongPlatform: (image: string) => grpcNotFound(unpack(image, 'no match for platform in manifest: not found')),
  unauthorized: (image: string) =>
    resolve(image, 'failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized'),
  denied: (image: string) =>
    resolve(
      image,
      `pulling from host ${parts(image)[0] ?? ''} failed with status code [manifests ${parts(image)[2] ?? ''}]: 403 Forbidden`,
    ),
  rateLimited: (image: string) =>
    resolve(
      image,
      `pulling from host ${parts(image)[0] ?? ''} failed with status code [manifests ${parts(image)[2] ?? ''}]: 429 Too Many Requests`,
    ),
  unavailable: (image: string) =>
    resolve(
      image,
      `pulling from host ${parts(image)[0] ?? ''} failed with status code [manifests ${parts(image)[2] ?? ''}]: 503 Service Unavailable`,
    ),
  refused: (image: string) => head(image, 'dial tcp 10.0.0.9:443: connect: connection refused'),
  timeout: (image: string) => head(image, 'dial tcp 10.0.0.9:443: i/o timeout'),
  unknownHost: (image: string) =>
    head(image, `dial tcp: lookup ${parts(image)[0] ?? ''} on 10.0.0.10:53: no such host`),
  certificate: (image: string) =>
    head(image, 'tls: failed to verify certificate: x509: certificate signed by unknown authority'),
  diskFull: (image: string) =>
    unpack(
      image,
      'failed to copy: write /var/lib/containerd/io.containerd.content.v1.content/ingest/1/data: no space left on device',
    ),
} as const;

export type PullError = keyof typeof PULL_ERRORS;

/** Why a container whose image is there does not start. */
export const NO_SHELL =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown';

/** A reference that no registry is asked for, with kubelet's text; undefined for one that can be. */
export function invalidReference(image: string): string | undefined {
  const repository = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
  const why = /[A-Z]/.test(repository.replace(/^[^/]*\//, ''))
    ? `repository name (${repository.replace(/^[^/]*\//, '')}) must be lowercase`
    : 'invalid reference format';
  const valid = /^[a-zA-Z0-9.:_-]+(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/.test(
    image,
  );
  if (valid) return undefined;
  const reason = why === 'invalid reference format' ? why : `invalid reference format: ${why}`;
  return `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${reason}`;
}
