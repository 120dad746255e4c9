import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import { isObject } from '../../../../../base/index.ts';
import { variableName } from '../awx-names.ts';

/** A ConfigMap that the workflow depends on, as far as its playbook is told of it. */
export interface ConfigEntries {
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Variables that every playbook gets; a parameter may not stand in for one. */
export const CONTEXT_VARIABLES = ['WFE_NAME', 'WFE_NAMESPACE', 'RR_NAME', 'RR_NAMESPACE'] as const;

/** All that a playbook is told as variables: the parameters, the ConfigMaps, and for whom it runs. Never anything of a Secret. */
export function extraVars({ metadata, spec }: WorkflowExecution, configMaps: readonly ConfigEntries[]): Readonly<Record<string, unknown>> {
  const { remediationRequestRef: request, parameters = {} } = spec;
  return {
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, typed(value)])),
    ...Object.fromEntries(configMaps.flatMap(({ name, data }) => entriesOf(name, data))),
    WFE_NAME: metadata.name,
    WFE_NAMESPACE: metadata.namespace ?? '',
    RR_NAME: request.name,
    RR_NAMESPACE: request.namespace ?? metadata.namespace ?? '',
  };
}

const entriesOf = (name: string, data: ConfigEntries['data']): readonly (readonly [string, string])[] =>
  Object.entries(data).map(([key, value]) => [variableName('CONFIGMAP', name, key), value]);

const WHOLE = /^-?(0|[1-9]\d*)$/;
const DECIMAL = /^-?(0|[1-9]\d*)\.\d+([eE][+-]?\d+)?$/;

/** A parameter as what it looks like: a whole number, a number, true or false, a list or an object in JSON; else the text itself. */
export function typed(text: string): unknown {
  if (WHOLE.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (DECIMAL.test(text)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\s*[[{]/.test(text) ? (jsonIn(text) ?? text) : text;
}

function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
