/** Why an image cannot be pulled on any cluster, in the kubelet's own words. */
export interface ImageProblem {
  readonly reason: 'ErrImagePull' | 'InvalidImageName';
  readonly message: string;
}

const REFERENCE = /^(?:[\w.-]+(?::\d+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]+)?$/;

/** A name that no registry takes, or a registry below `.invalid`, which is no domain anywhere (RFC 2606). Any other image is taken to exist. */
export function imageProblem(image: string): ImageProblem | undefined {
  if (image === '') return undefined;
  if (!REFERENCE.test(image))
    return {
      reason: 'InvalidImageName',
      message: `Failed to apply default image tag ${JSON.stringify(image)}: couldn't parse image name ${JSON.stringify(image)}: invalid reference format`,
    };
  const [host = ''] = image.split('/');
  if (!/\.invalid(?::\d+)?$/.test(host)) return undefined;
  const name = host.replace(/:\d+$/, '');
  return {
    reason: 'ErrImagePull',
    message: `failed to pull and unpack image ${JSON.stringify(image)}: failed to resolve reference ${JSON.stringify(image)}: dial tcp: lookup ${name}: no such host`,
  };
}
