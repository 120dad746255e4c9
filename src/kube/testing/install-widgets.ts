import type { Resource } from '../../api/resource.ts';
import { after, hasCode, systemClock } from '../../base/index.ts';
import type { KubeClient } from '../client/client.ts';
import { WIDGETS } from './widget.ts';

const DEFINITIONS: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const colour = { type: 'string', enum: ['red', 'blue'] };
const version = {
  name: 'v1',
  served: true,
  storage: true,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { colour, size: { type: 'integer' } } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.client.example.com' },
  spec: { group: 'client.example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions: [version] },
};

/** Makes a real server serve widgets, and waits until it does. */
export async function installWidgets(client: KubeClient): Promise<void> {
  await client.create(DEFINITIONS, definition).catch((error: unknown) => {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  });
  const isServed = (): Promise<boolean> =>
    client.list(WIDGETS).then(
      () => true,
      () => false,
    );
  while (!(await isServed())) await systemClock.waitUntil(after(systemClock.now(), 100), new AbortController().signal);
}
