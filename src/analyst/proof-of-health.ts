import type { Diagnosis } from './diagnosis.ts';
import { describeCommand, targetName, type Evidence } from './evidence.ts';

/** Faults that show in the pods of a workload, by words in the names of alerts and in the reasons of Events. */
const SHOWN_BY_PODS =
  /crash|restart|back-?off|not-?ready|unready|unhealthy|replica|rollout|generation|waiting|image-?pull|err-?image|pending|schedul|oom|unavailable|pod-?fail|not-?running|stuck/i;

/** Faults that show in the conditions of a Node. */
const SHOWN_BY_NODE = /not-?ready|unready|readiness|unreachable|unhealthy|pressure|unschedulable|cordon|recovered|(node|kubelet)-?down/i;

/**
 * Nothing is wrong only where the evidence shows that the fault named by the alert is gone. Ready pods prove nothing about error rates, latency
 * or saturation: such an alert is handed over.
 */
export function proved(diagnosis: Diagnosis, evidence: Evidence, alert: string | undefined): Diagnosis {
  if (diagnosis.kind !== 'NothingWrong' || alert === undefined || alert === '') return diagnosis;
  if (shownBy(evidence).test(alert)) return diagnosis;
  return {
    kind: 'Unclear',
    reason: `${diagnosis.reason}, but that is no proof that ${alert} is resolved`,
    advice: adviceOn(evidence, alert),
  };
}

/** Faults that show in the state of other objects, by kind; those of workloads show in their pods. */
const SHOWN_BY_KIND: Readonly<Record<string, RegExp>> = {
  Node: SHOWN_BY_NODE,
  Job: /job/i,
  PersistentVolumeClaim: /pending|unbound|not-?bound/i,
  Service: /endpoint|not-?ready|unavailable/i,
};

const shownBy = ({ target }: Evidence): RegExp => SHOWN_BY_KIND[target.kind] ?? SHOWN_BY_PODS;

function adviceOn({ kind, target }: Evidence, alert: string): string {
  const check = `see what ${alert} measures, and since when`;
  if (kind === 'Node') return `${check}; then ${describeCommand(target)}`;
  const at = `-n ${target.namespace ?? ''} ${target.kind.toLowerCase()}/${target.name}`;
  return (
    `${check}; read the logs of ${targetName(target)}: kubectl logs ${at} --all-containers --since=15m; ` +
    `see whether it was rolled out then: kubectl rollout history ${at}; and check the services that it calls`
  );
}
