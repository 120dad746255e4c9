import type { Target } from './target-text.ts';

/** The parameters that tell a workflow its target. Only the analysed target sets them. */
export const targetParameters = ({ kind, name, namespace = '' }: Target): Readonly<Record<string, string>> => ({
  TARGET_RESOURCE_KIND: kind,
  TARGET_RESOURCE_NAME: name,
  TARGET_RESOURCE_NAMESPACE: namespace,
});
