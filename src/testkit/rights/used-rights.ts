import type { ClusterRole, PolicyRule } from '../../api/builtin/index.ts';
import type { Grant } from '../../api/rights/index.ts';
import { requestAttributes } from '../../apiserver/authorization/request-attributes.ts';
import { ruleAllows } from '../../apiserver/authorization/rule-allows.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../kube/client/transport.ts';
import type { Scenario } from '../scenario.ts';

/** One thing that is allowed: `kubernaut-workflows: create jobs.batch`; of the whole cluster without a namespace. */
interface Right {
  readonly text: string;
  /** Everywhere when absent. */
  readonly namespace: string | undefined;
  readonly rule: PolicyRule;
}

/** Holds processes to their rights, as the real server does, and notes which of them they use. */
export class UsedRights {
  readonly refused = new Set<string>();
  readonly #rights: readonly Right[];
  readonly #used = new Set<string>();

  constructor(grants: readonly Grant[]) {
    this.#rights = grants.flatMap(rightsIn);
  }

  unused(): readonly string[] {
    return this.#rights.map(({ text }) => text).filter((text) => !this.#used.has(text));
  }

  /** The same story, told by processes that may do no more than their rights say. */
  hold(scenario: Scenario): Scenario {
    return { ...scenario, boot: (env) => scenario.boot({ ...env, transport: this.#within(env.transport) }) };
  }

  #within(transport: Transport): Transport {
    return {
      request: (request, signal) => this.#refusalOf(request) ?? transport.request(request, signal),
      watch: (request, signal) => this.#refusalOf(request) ?? transport.watch(request, signal),
    };
  }

  #refusalOf(request: ApiRequest): Promise<ApiResponse> | undefined {
    const asked = requestAttributes(request);
    // Of another server.
    if (asked.kind === 'path') return undefined;
    const allowing = this.#rights.filter(
      ({ namespace, rule }) => (namespace === undefined || namespace === asked.namespace) && ruleAllows(rule, asked),
    );
    for (const { text } of allowing) this.#used.add(text);
    if (allowing.length > 0) return undefined;
    const { group, resource, subresource } = asked;
    const what = subresource === '' ? resource : `${resource}/${subresource}`;
    const message = `${asked.namespace}: ${asked.verb} ${what}${group === '' ? '' : `.${group}`}`;
    this.refused.add(message);
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', message, code: 403 };
    return Promise.resolve({ code: 403, body });
  }
}

function rightsIn({ draft }: Grant): readonly Right[] {
  const { rules } = draft as Partial<Pick<ClusterRole, 'rules'>>;
  const { namespace } = draft.metadata;
  const place = namespace === undefined ? '' : `${namespace}: `;
  return (rules ?? []).flatMap((rule) =>
    (rule.resources ?? []).flatMap((resource) =>
      rule.verbs.map((verb) => {
        const [group = ''] = rule.apiGroups ?? [];
        const text = `${place}${verb} ${resource}${group === '' ? '' : `.${group}`}`;
        return { text, namespace, rule: { ...rule, resources: [resource], verbs: [verb] } };
      }),
    ),
  );
}
