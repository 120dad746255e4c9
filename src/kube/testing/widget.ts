import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { ApiResponse, WatchLine } from '../client/transport.ts';

/** A kind for tests. */
export interface Widget extends KubeObject {
  readonly spec?: { readonly colour?: string; readonly size?: number };
  readonly status?: { readonly phase?: string };
}

export const WIDGETS: Resource<Widget> = {
  group: 'client.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
export const GADGETS: Resource = { group: 'client.example.com', version: 'v1', kind: 'Gadget', plural: 'gadgets', namespaced: false };

export interface WidgetParts {
  readonly name: string;
  readonly version: number;
  readonly uid?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly colour?: string;
  readonly deleting?: boolean;
}

/** A widget as the server serves it, managedFields included. */
export function aWidget({ name, version, uid, namespace, labels, colour, deleting }: WidgetParts): Widget {
  const metadata = {
    name,
    namespace: namespace ?? 'shop',
    uid: uid ?? `uid-${name}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-09-21T14:13:20Z',
    managedFields: [{ manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:spec': {} } }],
    ...(labels ? { labels } : {}),
    ...(deleting ? { deletionTimestamp: '2026-09-21T14:14:00Z' } : {}),
  };
  return { apiVersion: 'client.example.com/v1', kind: 'Widget', metadata, spec: { colour: colour ?? 'red', size: version } };
}

export const aList = (version: number, items: readonly KubeObject[], next?: string): ApiResponse => ({
  code: 200,
  body: {
    kind: 'WidgetList',
    apiVersion: 'client.example.com/v1',
    metadata: { resourceVersion: String(version), ...(next === undefined ? {} : { continue: next }) },
    items,
  },
});

export const added = (parts: WidgetParts): WatchLine => ({ type: 'ADDED', object: aWidget(parts) });
export const modified = (parts: WidgetParts): WatchLine => ({ type: 'MODIFIED', object: aWidget(parts) });
export const deleted = (parts: WidgetParts): WatchLine => ({ type: 'DELETED', object: aWidget(parts) });
export const bookmark = (version: number): WatchLine => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'client.example.com/v1', kind: 'Widget', metadata: { resourceVersion: String(version) } } as Widget,
});
