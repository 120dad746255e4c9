import { createHash } from 'node:crypto';
import type { ConfigMap } from '../../src/api/builtin/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { sameJson } from '../../src/base/index.ts';
import type { JsonPatchOperation } from '../../src/kube/client/client.ts';
import type { Plan } from '../change.ts';

/** On a ConfigMap that is kept as a version of another: the name of that other. Nothing else is ever copied from. */
export const VERSION_OF = 'kubernaut.ai/version-of';

const LONGEST_NAME = 253;
const MEMBERS = ['data', 'binaryData'] as const;

type Content = Pick<ConfigMap, (typeof MEMBERS)[number]>;

const contentOf = ({ data = {}, binaryData = {} }: Content): Required<Content> => ({ data, binaryData });

export const sameContent = (one: Content, other: Content): boolean => sameJson(contentOf(one), contentOf(other));

/** How the ConfigMap gets the content of the version; `keep` stores a copy of its present content for the undo. */
export function planRestore(current: ConfigMap, version: ConfigMap, keep: (copy: Draft<ConfigMap>) => Promise<void>): Plan {
  const { name } = current.metadata;
  const from = version.metadata.name;
  if (version.metadata.annotations?.[VERSION_OF] !== name)
    return { kind: 'refused', why: `ConfigMap ${from} is not a version of it: its annotation ${VERSION_OF} is not ${name}` };
  if (current.immutable === true) return { kind: 'refused', why: 'it is immutable; delete and recreate it' };
  if (sameContent(current, version)) return { kind: 'already', why: `already has the content of ${from}` };
  const copy = copyOf(current);
  return {
    kind: 'change',
    operations: MEMBERS.flatMap((member) => operation(member, current, version)),
    did: `restored to the content of ${from}; its former content is kept in ${copy.metadata.name}`,
    undo: { workflow: 'restore-configmap', parameters: { SOURCE: copy.metadata.name ?? '' } },
    prepare: () => keep(copy),
  };
}

function operation(member: (typeof MEMBERS)[number], current: ConfigMap, version: ConfigMap): readonly JsonPatchOperation[] {
  const value = version[member];
  if (value !== undefined) return [{ op: 'add', path: `/${member}`, value }];
  return current[member] === undefined ? [] : [{ op: 'remove', path: `/${member}` }];
}

/** Named by its content: the same content is kept once. */
function copyOf(current: ConfigMap): Draft<ConfigMap> {
  const { name, namespace } = current.metadata;
  const content = contentOf(current);
  const sorted = JSON.stringify(MEMBERS.map((member) => Object.entries(content[member]).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  const suffix = `-was-${createHash('sha256').update(sorted).digest('hex').slice(0, 16)}`;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${name.slice(0, LONGEST_NAME - suffix.length)}${suffix}`,
      ...(namespace === undefined ? {} : { namespace }),
      annotations: { [VERSION_OF]: name },
    },
    ...content,
  };
}
