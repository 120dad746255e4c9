import { digest, object, optional, text } from '../schema/index.ts';

const members = {
  kind: text('Kind of the resource, e.g. Deployment.', { min: 1, max: 63 }),
  name: text('Name of the resource.', { min: 1, max: 253 }),
  namespace: optional(text('Namespace of the resource; empty for cluster-scoped ones.', { max: 63 })),
  apiVersion: optional(text('API group and version of the resource, e.g. apps/v1.', { max: 317 })),
};

/** A resource of the cluster that something is wrong with, or that something is done to. */
export const target = (description: string) => object(description, members);

/** A target that is pinned to the very object and state that was looked at. */
export const pinnedTarget = (description: string) =>
  object(description, {
    ...members,
    uid: optional(text('UID of the resource when it was analysed; a different UID is a different resource.', { max: 128 })),
    specHash: optional(digest('Hash of its spec when it was analysed; with a different hash the plan is stale.')),
  });
