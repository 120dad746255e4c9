import { createHash } from 'node:crypto';

/** What goes into a bundle: one object of Tekton. */
export interface Bundled {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

const OCI = 'application/vnd.oci.image';

/** Puts an object of Tekton into a bundle of its own, as Tekton's bundle contract says; returns the reference with its digest. */
export async function pushBundle(registry: string, repository: string, object: Bundled): Promise<string> {
  const base = `http://${registry}/v2/${repository}`;
  const layer = await upload(base, tarOf(object.metadata.name, Buffer.from(JSON.stringify(object))));
  const config = await upload(base, bytes({ architecture: '', os: '', config: {}, rootfs: { type: 'layers', diff_ids: [layer.digest] } }));
  const annotations = {
    'dev.tekton.image.apiVersion': 'v1',
    'dev.tekton.image.kind': object.kind.toLowerCase(),
    'dev.tekton.image.name': object.metadata.name,
  };
  const manifest = bytes({
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: { mediaType: `${OCI}.config.v1+json`, ...config },
    layers: [{ mediaType: `${OCI}.layer.v1.tar`, ...layer, annotations }],
  });
  await send('PUT', `${base}/manifests/1`, manifest, `${OCI}.manifest.v1+json`);
  return `${registry}/${repository}@${digestOf(manifest)}`;
}

interface Blob {
  readonly size: number;
  readonly digest: string;
}

async function upload(base: string, data: Buffer): Promise<Blob> {
  const digest = digestOf(data);
  const place = new URL((await send('POST', `${base}/blobs/uploads/`)).headers.get('location') ?? '', base);
  place.searchParams.set('digest', digest);
  await send('PUT', place.href, data, 'application/octet-stream');
  return { size: data.length, digest };
}

async function send(method: string, url: string, data: Buffer = Buffer.alloc(0), type = 'application/json'): Promise<Response> {
  const answer = await fetch(url, { method, body: new Uint8Array(data), headers: { 'content-type': type } });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const digestOf = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;

const BLOCK = 512;

/** An archive with one file in it, in the ustar format. */
function tarOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  const fields: readonly (readonly [at: number, text: string])[] = [
    [0, name],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(content.length, 11)],
    [136, octal(0, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\0' + '00'],
  ];
  for (const [at, text] of fields) header.write(text, at, 'latin1');
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
    'latin1',
  );
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * BLOCK)]);
}
