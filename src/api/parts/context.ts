import { enumOf, flag, list, map, object, optional, partial, text, textMap, texts } from '../schema/index.ts';

/** What enrichment found around the target. */
export const kubernetesContext = () =>
  partial('What surrounds the target in the cluster.', {
    namespace: object('The namespace of the target.', { name: text('Name of the namespace.'), ...metadata }),
    workload: object('The target itself, or the workload that it belongs to.', {
      kind: text('Kind of the workload.'),
      name: text('Name of the workload.'),
      ...metadata,
    }),
    ownerChain: list(
      'Controllers above the target, nearest first.',
      object('One owner.', {
        kind: text('Kind of the owner.'),
        name: text('Name of the owner.'),
        namespace: optional(text('Namespace of the owner.')),
        api_version: optional(text('API group and version of the owner.')),
      }),
    ),
    podNamespaces: list(
      'Of a Node: the namespaces whose pods would have to leave it, except those where nothing is ever remediated.',
      object('One namespace.', {
        name: text('Name of the namespace.'),
        environment: optional(text('Its label kubernaut.ai/environment.')),
      }),
    ),
    customLabels: map('Labels that the policy derived, with all their values.', texts('Values of the label.')),
    degradedMode: flag('Whether the target could not be read, so that only the signal describes it.'),
    clusterID: text('Cluster that the context was read from; empty for the local one.', { max: 253 }),
    cluster: partial('The cluster itself.', { labels: textMap('Labels of the cluster.') }),
  });

const metadata = {
  labels: optional(textMap('Its labels.')),
  annotations: optional(textMap('Its annotations.')),
};

/** What the target means to the business. */
export const businessClassification = () =>
  partial('What the target means to the business.', {
    businessUnit: text('Unit that the workload serves.'),
    serviceOwner: text('The owner of the workload.'),
    criticality: enumOf('How much depends on it.', ['Critical', 'High', 'Medium', 'Low']),
    slaRequirement: enumOf('Service level that was promised.', ['Platinum', 'Gold', 'Silver', 'Bronze']),
  });
