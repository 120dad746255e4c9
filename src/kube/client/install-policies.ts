import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../api/builtin/index.ts';
import type { Draft, KubeObject } from '../../api/meta.ts';
import type { Policy } from '../../api/policies/index.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { hasCode, sameJson } from '../../base/index.ts';
import type { KubeClient } from './client.ts';

type WithSpec = KubeObject & { readonly spec: unknown };

/** One object of a policy, and how it is addressed. */
interface Part {
  readonly resource: Resource<WithSpec>;
  readonly draft: Draft<WithSpec>;
}

const partsOf = ({ policy, binding }: Policy): readonly Part[] => [
  { resource: ValidatingAdmissionPolicy, draft: policy },
  { resource: ValidatingAdmissionPolicyBinding, draft: binding },
];

/** Puts policies into force: what is absent is created, what differs is brought back. */
export async function installPolicies(policies: readonly Policy[], client: KubeClient): Promise<void> {
  for (const part of policies.flatMap(partsOf)) await install(part, client);
}

async function install({ resource, draft }: Part, client: KubeClient): Promise<void> {
  try {
    await client.create(resource, draft);
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
    const found = await client.get(resource, keyOf(draft));
    if (!sameJson(found.spec, draft.spec)) await client.update(resource, { ...found, spec: draft.spec });
  }
}

/** What of the policies is not in force as it should be, in words for people; undefined when all is. */
export async function missingPolicy(policies: readonly Policy[], client: KubeClient): Promise<string | undefined> {
  for (const part of policies.flatMap(partsOf)) {
    const objection = await objectionTo(part, client);
    if (objection !== undefined) return `${resourceName(part.resource)} ${part.draft.metadata.name ?? ''} ${objection}`;
  }
  return undefined;
}

async function objectionTo({ resource, draft }: Part, client: KubeClient): Promise<string | undefined> {
  try {
    const found = await client.get(resource, keyOf(draft));
    return sameJson(rulesOf(found.spec), rulesOf(draft.spec)) ? undefined : 'is not as it should be';
  } catch (error) {
    if (hasCode(error, 'NotFound')) return 'is not there';
    if (hasCode(error, 'Forbidden')) return 'may not be read';
    throw error;
  }
}

type Rule = Readonly<Record<string, unknown>>;

/** What a policy decides: its spec without the texts of its denials, which are reworded between versions of Sickbay. */
function rulesOf(spec: unknown): unknown {
  const { validations, ...rest } = spec as { readonly validations?: readonly Rule[] };
  return { ...rest, ...(validations && { validations: validations.map(withoutTexts) }) };
}

const TEXTS: ReadonlySet<string> = new Set(['message', 'messageExpression']);

const withoutTexts = (rule: Rule): Rule => Object.fromEntries(Object.entries(rule).filter(([name]) => !TEXTS.has(name)));

const keyOf = ({ metadata }: Draft) => ({ namespace: '', name: metadata.name ?? '' });
