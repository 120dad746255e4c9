/** What a request wants to do, to a resource or to another path. Members that do not apply are empty. */
export type Attributes = ResourceAction | PathAttributes;

export interface ResourceAction {
  readonly kind: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty at the cluster scope, and across all namespaces. */
  readonly namespace: string;
  /** Empty where no single object is named. */
  readonly name: string;
}

export interface PathAttributes {
  readonly kind: 'path';
  readonly verb: string;
  readonly path: string;
}

const NOTHING = { verb: '', group: '', resource: '', subresource: '', namespace: '', name: '' } as const;

/** An action on a resource, named by what applies. */
export const onResource = (given: Partial<Omit<ResourceAction, 'kind'>>): ResourceAction => ({
  ...NOTHING,
  ...given,
  kind: 'resource',
});

/** The resource with its subresource, as rules write it. */
export const combined = ({ resource, subresource }: ResourceAction): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;
