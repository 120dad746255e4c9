import type { LockedPackages } from '../package/locked-packages.ts';

export interface BillOptions {
  readonly name: string;
  readonly version: string;
  /** The Node in the image, as process.version. */
  readonly node: string;
  /** Folders of the packages in the image. */
  readonly folders: readonly string[];
  readonly locked: LockedPackages;
}

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly expression: string }[];
}

const NODE_MODULES = 'node_modules/';

/** What an image contains, in CycloneDX, without a time or a serial number: two builds of the same sources are the same. */
export function billOfMaterials({ name, version, node, folders, locked }: BillOptions): object {
  const nodeVersion = node.replace(/^v/, '');
  const components: readonly Component[] = [
    { type: 'platform', name: 'node', version: nodeVersion, purl: `pkg:generic/node@${nodeVersion}` },
    ...folders.map((folder) => packageComponent(folder, locked)),
  ];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` } },
    components,
  };
}

function packageComponent(folder: string, locked: LockedPackages): Component {
  const name = folder.slice(folder.lastIndexOf(NODE_MODULES) + NODE_MODULES.length);
  const { version = '', license } = locked[folder] ?? {};
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', name, version, purl, ...(license !== undefined && { licenses: [{ expression: license }] }) };
}
