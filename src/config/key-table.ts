import { HOUR, MINUTE, SECOND } from '../base/index.ts';
import type { KeyEntry, SettingPath } from './keys.ts';
import type { ValueForm } from './value-forms.ts';

const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const duration = (min: number, max: number, zero?: string): ValueForm => ({
  kind: 'duration',
  min,
  max,
  ...(zero === undefined ? {} : { zero }),
});
const integer = (min: number, max: number): ValueForm => ({ kind: 'integer', min, max });
/** May stand in quotes, as every value of a ConfigMap does. */
const countInText = (min: number, max: number): ValueForm => ({ kind: 'integer', min, max, quoted: true });
const flag: ValueForm = { kind: 'flag' };

const namespace: ValueForm = {
  kind: 'text',
  pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  wants: 'the name of a namespace: up to 63 lower-case letters, digits and dashes',
};

/** One line of printable characters, and not too long for a label or a condition. */
const oneLine = /^[^\p{Cc}\p{Cs}]{0,253}$/u;

/** Without user or password: those belong into a file that only we may read. */
const serverAddress: ValueForm = {
  kind: 'text',
  pattern: /^https?:\/\/[^\s@?#/]+(\/[^\s@?#]*)?$/,
  wants: 'an address such as http://prometheus.monitoring:9090, without user or query',
  none: true,
};

const filePath: ValueForm = { kind: 'text', pattern: /^\/[^\p{Cc}]{1,4095}$/u, wants: 'the full path of a file', none: true };

/** No phase is meant to be shorter: every stage needs some time to see its children. */
const phase = duration(SECOND, WEEK);

/**
 * The one table of everything that a config file may say. Parsing, validation, the sample and the documentation are made from it; a
 * setting without a line here is a type error.
 */
export const KEY_TABLE: Readonly<Record<SettingPath, KeyEntry>> = {
  namespace: {
    key: 'namespace',
    form: namespace,
    meaning: 'The namespace of the pipeline’s own objects. Objects in other namespaces are ignored.',
    needsRestart: true,
  },
  executionNamespace: {
    key: 'executionNamespace',
    form: namespace,
    meaning: 'The namespace in which workflows run and which holds the locks on their targets.',
    aliases: ['execution.namespace', 'workflowexecution.config.execution.namespace'],
    needsRestart: true,
  },
  clusterID: {
    key: 'clusterName',
    form: { kind: 'text', pattern: oneLine, wants: 'one line of at most 253 characters' },
    meaning:
      'Name of this cluster in the label "cluster" of alerts; alerts about other clusters are not acted on. Empty when alerts have no such label.',
    needsRestart: true,
  },
  'server.listenAddr': {
    key: 'server.listenAddr',
    form: {
      kind: 'text',
      pattern:
        /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9][-.A-Za-z0-9]{0,252})?:(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/,
      wants: 'an address and a port, such as 127.0.0.1:8080, [::1]:8080, or :8080 for every address',
    },
    meaning:
      'Where alerts, the HTTP API, the console, health and metrics are served; port 0 takes any free one. Beyond loopback gateway.authentication must be set.',
    needsRestart: true,
  },
  'server.tlsCertFile': {
    key: 'server.tlsCertFile',
    form: filePath,
    meaning:
      'PEM file of the certificate to serve them with, followed by those that signed it. It is read again when it changes, and open connections stay. HTTP without TLS when absent.',
    aliases: ['server.tls.certFile'],
    needsRestart: true,
  },
  'server.tlsKeyFile': {
    key: 'server.tlsKeyFile',
    form: filePath,
    meaning: 'PEM file of its key.',
    aliases: ['server.tls.keyFile'],
    needsRestart: true,
  },
  'gateway.authentication': {
    key: 'gateway.authentication',
    form: { kind: 'choice', options: ['None', 'TokenFile', 'TokenReview'] },
    meaning:
      'How the senders of signals are known by their bearer tokens: from gateway.tokenFile, or reviewed by the Kubernetes API, where the user needs the role sickbay-signal-source. None is possible on loopback only.',
    needsRestart: true,
  },
  'gateway.tokenFile': {
    key: 'gateway.tokenFile',
    form: filePath,
    meaning:
      'File with the bearer tokens of senders, one per line, so that an old and a new one may be valid together. It is read again when it changes.',
    needsRestart: true,
  },
  'gateway.resolvedGraceMs': {
    key: 'gateway.resolvedGrace',
    form: duration(SECOND, DAY),
    meaning:
      'How long every alert of a remediation must stay resolved before the remediation may end without a run; its target must then be healthy as well.',
  },
  'gateway.maxOpenRequests': {
    key: 'gateway.maxOpenRequests',
    form: integer(1, 100_000),
    meaning: 'How many remediations may be open at once. Above that, signals that would open another one are answered with 429.',
  },
  'gateway.maxOpenRequestsPerNamespace': {
    key: 'gateway.maxOpenRequestsPerNamespace',
    form: integer(1, 100_000),
    meaning:
      'How many of them may be about objects of one namespace, so that one namespace cannot keep the others out. Above that, its signals are answered with 429.',
  },
  'gateway.maxAlerts': {
    key: 'gateway.maxAlerts',
    form: integer(1, 100_000),
    meaning: 'How many alerts one webhook may have. Above that it is answered with 413, and nothing of it is received.',
  },
  dryRun: {
    key: 'dryRun',
    form: flag,
    meaning: 'Ends every remediation after its analysis: nothing is approved, run or assessed.',
  },
  dryRunHoldMs: {
    key: 'dryRunHoldPeriod',
    form: duration(5 * MINUTE, WEEK),
    meaning: 'How long no new remediation of the signal starts after a dry run.',
  },
  'timeouts.globalMs': {
    key: 'timeouts.global',
    form: phase,
    meaning:
      'How long a remediation may be active in total, without the time that it is blocked or verified. At least the sum of the four below.',
  },
  'timeouts.processingMs': { key: 'timeouts.processing', form: phase, meaning: 'How long enrichment and classification may take.' },
  'timeouts.analyzingMs': { key: 'timeouts.analyzing', form: phase, meaning: 'How long the analysis may take.' },
  'timeouts.awaitingApprovalMs': {
    key: 'timeouts.awaitingApproval',
    form: phase,
    meaning: 'How long a person has to approve. A plan that is not decided in time is never run.',
  },
  'timeouts.executingMs': { key: 'timeouts.executing', form: phase, meaning: 'How long a workflow may run.' },
  'timeouts.verifyingMs': { key: 'timeouts.verifying', form: phase, meaning: 'How long a remediation waits to be verified.' },
  'routing.consecutiveFailureThreshold': {
    key: 'routing.consecutiveFailureThreshold',
    form: integer(1, 100),
    meaning: 'Consecutive failures of a signal after which it is blocked.',
  },
  'routing.consecutiveFailureCooldownMs': {
    key: 'routing.consecutiveFailureCooldown',
    form: duration(SECOND, WEEK),
    meaning: 'How long the signal is blocked then.',
  },
  'routing.recentlyRemediatedCooldownMs': {
    key: 'routing.recentlyRemediatedCooldown',
    form: duration(SECOND, WEEK),
    meaning: 'The least time between two runs of one workflow on one target.',
  },
  'routing.exponentialBackoffBaseMs': {
    key: 'routing.exponentialBackoffBase',
    form: duration(SECOND, DAY),
    meaning: 'How long a signal is blocked after its first failure; each further failure doubles the time.',
  },
  'routing.exponentialBackoffMaxMs': {
    key: 'routing.exponentialBackoffMax',
    form: duration(SECOND, WEEK),
    meaning: 'The longest time that a signal is blocked for its failures.',
  },
  'routing.exponentialBackoffMaxExponent': {
    key: 'routing.exponentialBackoffMaxExponent',
    form: integer(0, 30),
    meaning: 'How often the time is doubled at most.',
  },
  'routing.scopeBackoffBaseMs': {
    key: 'routing.scopeBackoffBase',
    form: duration(SECOND, DAY),
    meaning: 'How soon a target that is not managed is checked again for the first time.',
  },
  'routing.scopeBackoffMaxMs': {
    key: 'routing.scopeBackoffMax',
    form: duration(SECOND, DAY),
    meaning: 'The longest time between two such checks.',
  },
  'routing.ineffectiveChainThreshold': {
    key: 'routing.ineffectiveChainThreshold',
    form: integer(1, 100),
    meaning: 'Consecutive ineffective remediations of a target after which it is blocked until a person has reviewed it.',
  },
  'routing.recurrenceCountThreshold': {
    key: 'routing.recurrenceCountThreshold',
    form: integer(1, 1000),
    meaning: 'Remediations of a target, whatever their outcome, after which it is blocked too.',
  },
  'routing.ineffectiveTimeWindowMs': {
    key: 'routing.ineffectiveTimeWindow',
    form: duration(MINUTE, WEEK),
    meaning: 'Only remediations inside this window count for these two thresholds.',
  },
  'routing.requeueResourceBusyMs': {
    key: 'routing.requeueResourceBusy',
    form: duration(SECOND, HOUR),
    meaning: 'How soon a target that another workflow works on is checked again.',
  },
  'routing.requeueGenericErrorMs': {
    key: 'routing.requeueGenericError',
    form: duration(SECOND, HOUR),
    meaning: 'How soon something is tried again after an error that has no rule of its own.',
  },
  'routing.noActionRequiredDelayMs': {
    key: 'routing.noActionRequiredDelayHours',
    form: { kind: 'hours', min: MINUTE, max: 4 * WEEK, zero: 'not at all' },
    meaning: 'How long no new remediation of a signal starts that needed no action, or a person.',
  },
  'routing.onDuplicateResolved': {
    key: 'routing.onDuplicateResolved',
    form: { kind: 'choice', options: ['Requeue', 'Inherit'] },
    meaning: 'Whether a request starts over when the one it repeats has ended (Requeue), or takes over its result (Inherit).',
  },
  'routing.maxBlockedMs': {
    key: 'routing.maxBlockedTime',
    form: duration(MINUTE, 4 * WEEK),
    meaning: 'No block lasts longer than this.',
  },
  'approval.requesterMayApprove': {
    key: 'approval.requesterMayApprove',
    form: flag,
    meaning: 'Whether the person who asked for a remediation may approve it.',
  },
  'approval.askAgainAfterMs': {
    key: 'approval.askAgainAfter',
    form: duration(SECOND, WEEK, 'at once'),
    meaning: 'How long a plan that a person rejected or cancelled is not proposed again, unless the spec of its target changes.',
  },
  'budget.paused': {
    key: 'budget.paused',
    form: { kind: 'text', pattern: oneLine, wants: 'the reason for the pause, in one line of at most 253 characters', none: true },
    meaning: 'Why no workflow may be started, e.g. "freeze until Monday". Empty or absent: workflows may be started.',
  },
  'budget.running.cluster': {
    key: 'budget.running.cluster',
    form: integer(1, 10_000),
    meaning: 'How many workflows may run at once in the cluster.',
  },
  'budget.running.namespace': {
    key: 'budget.running.namespace',
    form: integer(1, 10_000),
    meaning: 'How many workflows may run at once on the targets of one namespace.',
  },
  'budget.running.node': {
    key: 'budget.running.node',
    form: integer(1, 10_000),
    meaning: 'How many workflows may run at once on one node.',
  },
  'budget.perHour.cluster': {
    key: 'budget.perHour.cluster',
    form: integer(1, 100_000),
    meaning: 'How many workflows may be started in an hour in the cluster.',
  },
  'budget.perHour.namespace': {
    key: 'budget.perHour.namespace',
    form: integer(1, 100_000),
    meaning: 'How many workflows may be started in an hour on the targets of one namespace.',
  },
  'propagation.gitOpsSyncMs': {
    key: 'asyncPropagation.gitOpsSyncDelay',
    form: duration(SECOND, DAY, 'at once'),
    meaning: 'How long a GitOps tool takes to apply what a workflow changed.',
  },
  'propagation.operatorReconcileMs': {
    key: 'asyncPropagation.operatorReconcileDelay',
    form: duration(SECOND, DAY, 'at once'),
    meaning: 'How long an operator takes to apply what a workflow changed.',
  },
  'propagation.proactiveAlertMs': {
    key: 'asyncPropagation.proactiveAlertDelay',
    form: duration(SECOND, DAY, 'at once'),
    meaning: 'How long an alert that predicts something takes to resolve.',
  },
  retentionMs: {
    key: 'retention.period',
    form: duration(HOUR, 52 * WEEK, 'for ever'),
    meaning: 'How long a finished remediation is kept. The windows that routing checks must lie inside it.',
  },
  cooldownMs: {
    key: 'execution.cooldownPeriod',
    form: duration(SECOND, WEEK),
    meaning: 'Cooldown of a target after a run, before the next run may start.',
    aliases: ['workflowexecution.config.execution.cooldownPeriod'],
  },
  'execution.baseCooldownMs': {
    key: 'execution.baseCooldownPeriod',
    form: duration(SECOND, DAY),
    meaning: 'Cooldown of a target after a workflow failed before anything ran; each consecutive failure doubles it.',
    aliases: ['base-cooldown-period'],
  },
  'execution.maxCooldownMs': {
    key: 'execution.maxCooldownPeriod',
    form: duration(SECOND, DAY),
    meaning: 'The longest cooldown for such failures.',
    aliases: ['max-cooldown-period'],
  },
  'execution.maxBackoffExponent': {
    key: 'execution.maxBackoffExponent',
    form: countInText(0, 30),
    meaning: 'How often the time is doubled at most.',
    aliases: ['max-backoff-exponent'],
  },
  'execution.maxConsecutiveFailures': {
    key: 'execution.maxConsecutiveFailures',
    form: countInText(1, 100),
    meaning: 'Consecutive failures of this kind after which nothing runs on the target until a person clears the block.',
    aliases: ['max-consecutive-failures'],
  },
  'ansible.apiURL': {
    key: 'ansible.apiURL',
    form: {
      kind: 'text',
      pattern: /^$|^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/,
      wants: 'the address of AWX, as https://awx.example.com, without user, query or /api/v2',
      none: true,
    },
    meaning: 'Where AWX is, for workflows whose engine is ansible. Empty, or left out, where there is none.',
    aliases: ['workflowexecution.config.ansible.apiURL'],
  },
  'ansible.tokenSecretRef.name': {
    key: 'ansible.tokenSecretRef.name',
    form: {
      kind: 'text',
      pattern: /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/,
      wants: 'the name of a Secret: lower-case letters, digits, dashes and dots',
    },
    meaning: 'The Secret that holds the token for AWX. It is read for every call to AWX, so that a new token is used at once.',
    aliases: ['workflowexecution.config.ansible.tokenSecretRef.name'],
  },
  'ansible.tokenSecretRef.namespace': {
    key: 'ansible.tokenSecretRef.namespace',
    form: {
      kind: 'text',
      pattern: /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$/,
      wants: 'the name of a namespace, or nothing',
    },
    meaning: 'Its namespace. The namespace of the pipeline’s own objects when empty.',
    aliases: ['workflowexecution.config.ansible.tokenSecretRef.namespace'],
  },
  'ansible.tokenSecretRef.key': {
    key: 'ansible.tokenSecretRef.key',
    form: { kind: 'text', pattern: /^[-._a-zA-Z0-9]{1,253}$/, wants: 'the name of an entry of a Secret' },
    meaning: 'The entry of the Secret that is the token.',
    aliases: ['workflowexecution.config.ansible.tokenSecretRef.key'],
  },
  'ansible.organizationID': {
    key: 'ansible.organizationID',
    form: countInText(1, 1_000_000_000),
    meaning: 'The organization of AWX in which credentials are created, and whose job template is used where several have the same name.',
    aliases: ['workflowexecution.config.ansible.organizationID'],
  },
  stabilizationMs: {
    key: 'effectivenessAssessment.stabilizationWindow',
    form: duration(SECOND, HOUR),
    meaning: 'How long to wait after a run before anything is assessed.',
    aliases: ['assessment.stabilizationWindow'],
  },
  validityMs: {
    key: 'effectivenessAssessment.validityWindow',
    form: duration(MINUTE, DAY),
    meaning: 'How long a whole assessment may last.',
    aliases: ['assessment.validityWindow'],
  },
  'assessment.maxConcurrentReconciles': {
    key: 'effectivenessAssessment.maxConcurrentReconciles',
    form: integer(1, 100),
    meaning: 'How many assessments are reconciled at the same time.',
    aliases: ['assessment.maxConcurrentReconciles'],
    needsRestart: true,
  },
  'machineHealth.allowRemediateAnnotation': {
    key: 'machineHealth.allowRemediateAnnotation',
    form: flag,
    meaning:
      'Whether the annotation cluster.x-k8s.io/remediate-machine requests remediation of its Machine: every user who may edit Machines may set it.',
  },
  'machineOwner.enabled': {
    key: 'machineOwner.enabled',
    form: flag,
    meaning:
      'Whether Sickbay manages MachineSets itself where there is no Cluster API: it drains, deletes and replaces Machines that fail their health check. Always on with the embedded server.',
    needsRestart: true,
  },
  'machineOwner.drainTimeoutMs': {
    key: 'machineOwner.drainTimeout',
    form: duration(SECOND, DAY, 'for ever'),
    meaning:
      'How long pods may take to leave the Node of a Machine that is being deleted. After that the Node is deleted without waiting for them.',
  },
  'powerCycle.bmcAddresses': {
    key: 'powerCycle.bmcAddresses',
    form: {
      kind: 'text',
      pattern: /^[0-9A-Za-z.:/*-]*(, ?[0-9A-Za-z.:/*-]+)*$/,
      wants: 'addresses, networks such as 10.20.0.0/16 and names such as *.bmc.example.com, with commas between them',
    },
    meaning:
      'Which management controllers power cycles may call where the Secret of the host is not in Sickbay’s own namespace; none when empty. A * allows every address.',
  },
  'external.prometheusUrl': {
    key: 'external.prometheusUrl',
    form: serverAddress,
    meaning: 'Address of Prometheus, e.g. http://prometheus.monitoring:9090. Without it no metrics are assessed.',
    needsRestart: true,
  },
  'external.prometheusEnabled': {
    key: 'external.prometheusEnabled',
    form: flag,
    meaning: 'Whether Prometheus is queried, if there is an address.',
    needsRestart: true,
  },
  'external.alertManagerUrl': {
    key: 'external.alertManagerUrl',
    form: serverAddress,
    meaning: 'Address of Alertmanager, e.g. http://alertmanager.monitoring:9093. Without it no alert is assessed.',
    needsRestart: true,
  },
  'external.alertManagerEnabled': {
    key: 'external.alertManagerEnabled',
    form: flag,
    meaning: 'Whether Alertmanager is queried, if there is an address.',
    needsRestart: true,
  },
  'external.connectionTimeoutMs': {
    key: 'external.connectionTimeout',
    form: duration(SECOND, 5 * MINUTE),
    meaning: 'Time limit of a query to either of them; a query that takes longer is cancelled and repeated later.',
    needsRestart: true,
  },
  'external.tlsCaFile': {
    key: 'external.tlsCaFile',
    form: filePath,
    meaning: 'PEM file of the authorities that are trusted to sign their certificates; those of the machine when absent.',
    needsRestart: true,
  },
  'external.tokenFile': {
    key: 'external.tokenFile',
    form: filePath,
    meaning: 'File with the bearer token for both, such as the token of the service account. It is read again when it changes.',
    needsRestart: true,
  },
  'external.prometheusLookbackMs': {
    key: 'external.prometheusLookback',
    form: duration(MINUTE, DAY),
    meaning: 'How far back before an assessment metrics are compared with those after it.',
  },
  'external.scrapeIntervalMs': {
    key: 'external.scrapeInterval',
    form: duration(5 * SECOND, HOUR),
    meaning: 'Scrape interval of Prometheus. Metrics that are missing are queried again after it.',
  },
};
