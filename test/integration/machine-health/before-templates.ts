import type { CustomResourceDefinition, Draft } from '../../../src/api/index.ts';
import { isObject } from '../../../src/base/index.ts';

const TEMPLATES = ['externalRemediationTemplate', 'remediationTemplate', 'templateRef'];

/** A definition as it was before there were templates: without the fields that name one, and without the rules about them. */
export const beforeTemplates = (definition: Draft<CustomResourceDefinition>): Draft<CustomResourceDefinition> =>
  without(definition) as Draft<CustomResourceDefinition>;

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isRuleAboutThem(item)).map(without);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !TEMPLATES.includes(key))
      .map(([key, member]) => [key, without(member)]),
  );
}

const isRuleAboutThem = (item: unknown): boolean =>
  isObject(item) && typeof item['rule'] === 'string' && TEMPLATES.some((name) => String(item['rule']).includes(name));
