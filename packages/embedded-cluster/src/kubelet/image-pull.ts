import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import type { Unpulled } from '../machines/containers.ts';

/** A reference of an image (github.com/distribution/reference): domain, path in lower case, tag, digest. */
const domain =
  '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\\d+)?/)?';
const component = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*';
const reference = new RegExp(
  `^${domain}${component}(?:/${component})*(?::\\w[\\w.-]{0,127})?(?:@[A-Za-z]\\w*:[0-9a-fA-F]{32,})?$`,
);

/**
 * Why the kubelet cannot start a container whose image is not on its machine; undefined: it pulls it
 * (kubelet/images/types.go).
 */
export function pullFailure(
  { image, imagePullPolicy }: Pick<ContainerSpec, 'image' | 'imagePullPolicy'>,
  missing: readonly string[],
): Unpulled['reason'] | undefined {
  if (!reference.test(image)) return 'InvalidImageName';
  if (imagePullPolicy === 'Never') return 'ErrImageNeverPull';
  return missing.some((one) => isNamed(image, one)) ? 'ErrImagePull' : undefined;
}

/** `*` stands for any characters; a name without tag and digest is that of all of them. */
function isNamed(image: string, pattern: string): boolean {
  const hasTag = /[:@]/.test(pattern.slice(pattern.lastIndexOf('/') + 1));
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}${hasTag ? '' : '(?:[:@].*)?'}$`).test(image);
}

/** The kubelet finds at its next sync that it has to wait with the next pull (pod_workers.go, backOffPeriod). */
const backOffShownMs = 10_000;

interface Waiting {
  readonly waiting: { readonly reason: string; readonly message: string };
  readonly changesAt?: number;
}

/** What the status says of a container whose image did not come, and when it says something else. */
export function waitingForImage(image: string, { reason, failsAt }: Unpulled, at: number): Waiting {
  const backsOffAt = failsAt + backOffShownMs;
  if (reason !== 'ErrImagePull') return { waiting: { reason, message: failure[reason](image) } };
  if (at < backsOffAt) return { waiting: { reason, message: failure.ErrImagePull(image) }, changesAt: backsOffAt };
  return { waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` } };
}

const failure: Readonly<Record<Unpulled['reason'], (image: string) => string>> = {
  ErrImagePull: (image) => `failed to pull and unpack image "${image}": ${image}: not found`,
  ErrImageNeverPull: (image) => `Container image "${image}" is not present with pull policy of Never`,
  InvalidImageName: (image) =>
    `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`,
};
