import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyOf, keyText, type ObjectKey } from '../../../api/meta.ts';
import { sameJson, type Instant } from '../../../base/index.ts';
import { checkedConditionsChanged, type IsCheckedType } from '../targets/node-state.ts';
import { parseCheck, parseCheckSelector, type CheckParseResult, type ParsedCheck } from '../targets/parse-check.ts';
import { TargetList } from '../targets/target-list.ts';
import type { HealthTarget, TargetCluster, TargetNode } from '../targets/target.ts';
import { applyHealthRules, type RuleResult } from './health-rules.ts';
import { verdictAt, type HealthVerdict } from './verdict.ts';

/** A Machine, and the verdict of one check about it. */
export interface EvaluatedTarget {
  readonly target: HealthTarget;
  readonly verdict: HealthVerdict;
}

interface RememberedResult {
  readonly node: TargetNode;
  readonly cluster: TargetCluster;
  readonly annotationRemediates: boolean;
  readonly result: RuleResult;
}

/** A check as parsed from one generation of its spec. */
interface RememberedCheck {
  readonly uid: string;
  readonly generation: number | undefined;
  parsed?: CheckParseResult;
  selector?: CheckParseResult;
}

/**
 * Evaluates Machines for both reconcilers. Results that follow from the objects alone are remembered while the objects stay the same, so
 * that an event costs only the work for its own Machine, however many Machines a check selects. Memory is a cache: losing it costs time only.
 */
export class HealthEvaluator {
  /** One entry per existing check, by its key; `forget` removes it. */
  readonly #checks = new Map<string, RememberedCheck>();
  readonly #results = new WeakMap<ParsedCheck, WeakMap<Machine, RememberedResult>>();
  readonly #targets = new WeakMap<ParsedCheck, TargetList>();
  readonly #evaluated: () => void;
  /** Condition types named by the remembered checks; undefined until needed again. */
  #checkedTypes: ReadonlySet<string> | undefined;

  /** `evaluated` is called for each Machine whose rules are applied again. */
  constructor(evaluated: () => void = () => undefined) {
    this.#evaluated = evaluated;
  }

  /** The parsed spec of a check; the same object as long as its spec is the same. */
  parse(check: MachineHealthCheck): CheckParseResult {
    const entry = this.#entryOf(check);
    if (entry.parsed === undefined) this.#checkedTypes = undefined;
    return (entry.parsed ??= parseCheck(check));
  }

  /** Which Machines a check selects, for a check that another controller manages; the same object as long as its spec is the same. */
  parseSelector(check: MachineHealthCheck): CheckParseResult {
    return (this.#entryOf(check).selector ??= parseCheckSelector(check));
  }

  /** Drops what is remembered of a check that no longer exists. */
  forget(key: ObjectKey): void {
    if (this.#checks.delete(keyText(key))) this.#checkedTypes = undefined;
  }

  /** A check that was not parsed yet reads the Nodes when it is: it does not depend on events before that. */
  readonly isCheckedType: IsCheckedType = (type) => (this.#checkedTypes ??= this.#collectTypes()).has(type);

  /** What was observed of the targets of a check. */
  targetsOf(check: ParsedCheck): TargetList {
    const list = this.#targets.get(check) ?? new TargetList();
    this.#targets.set(check, list);
    return list;
  }

  evaluate(
    check: ParsedCheck,
    target: HealthTarget,
    how: { readonly now: Instant; readonly annotationRemediates: boolean },
  ): EvaluatedTarget {
    return { target, verdict: verdictAt(this.#resultOf(check, target, how.annotationRemediates), target, how.now) };
  }

  #resultOf(check: ParsedCheck, target: HealthTarget, annotationRemediates: boolean): RuleResult {
    const known = this.#results.get(check) ?? new WeakMap<Machine, RememberedResult>();
    this.#results.set(check, known);
    const { machine, node, cluster } = target;
    const before = known.get(machine);
    if (before && before.annotationRemediates === annotationRemediates && isSame(before, target, check)) return before.result;
    this.#evaluated();
    const result = applyHealthRules(target, check.check, { annotationRemediates });
    known.set(machine, { node, cluster, annotationRemediates, result });
    return result;
  }

  #entryOf(check: MachineHealthCheck): RememberedCheck {
    const { uid, generation } = check.metadata;
    const key = keyText(keyOf(check));
    const known = this.#checks.get(key);
    if (known?.uid === uid && generation !== undefined && known.generation === generation) return known;
    const entry: RememberedCheck = { uid, generation };
    this.#checks.set(key, entry);
    return entry;
  }

  #collectTypes(): ReadonlySet<string> {
    const parsed = [...this.#checks.values()].flatMap((entry) => (entry.parsed?.kind === 'valid' ? [entry.parsed] : []));
    return new Set(parsed.flatMap(({ check }) => check.nodeConditions.map(({ type }) => type)));
  }
}

/** Whether the rules give the same result for an unchanged Machine: its Node may only have renewed its heartbeat. */
const isSame = (before: Pick<HealthTarget, 'node' | 'cluster'>, now: HealthTarget, check: ParsedCheck): boolean =>
  isSameNode(before.node, now.node, check) && sameJson(before.cluster, now.cluster);

const isSameNode = (before: TargetNode, now: TargetNode, { check }: ParsedCheck): boolean =>
  before.kind === 'there' && now.kind === 'there'
    ? before.node === now.node ||
      !checkedConditionsChanged(before.node, now.node, (wanted) => check.nodeConditions.some(({ type }) => type === wanted))
    : sameJson(before, now);
