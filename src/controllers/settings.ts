import type { MonitoringPlaces } from '../monitoring/index.ts';
import type { ChangeWindowSettings } from './change-window-settings.ts';
import type { NotificationSettings } from './notification-settings.ts';

/** What operators configure. Every controller gets all settings and reads those that concern it. */
export interface Settings {
  /** The pipeline's own objects live here, and count nowhere else. */
  readonly namespace: string;
  /** Jobs and locks live here. */
  readonly executionNamespace: string;
  /** What alerts call this cluster; empty when they do not name it. Alerts about another one are not acted on. */
  readonly clusterID: string;
  readonly server: ServerSettings;
  readonly gateway: GatewaySettings;
  readonly timeouts: PhaseTimeouts;
  readonly routing: RoutingSettings;
  readonly approval: ApprovalSettings;
  readonly budget: BudgetSettings;
  readonly propagation: PropagationSettings;
  readonly execution: ExecutionSettings;
  readonly ansible: AnsibleSettings;
  /** Ends every remediation after its analysis: nothing is asked, run or assessed. */
  readonly dryRun: boolean;
  /** How long the signal is left alone after a dry run. */
  readonly dryRunHoldMs: number;
  /** How long a finished remediation is kept; 0 keeps it for ever. */
  readonly retentionMs: number;
  /** How long a target is left alone after a run, before the next one may start. */
  readonly cooldownMs: number;
  /** How long to wait after a run before anything is judged. */
  readonly stabilizationMs: number;
  /** The longest total duration of an assessment. */
  readonly validityMs: number;
  readonly assessment: AssessmentSettings;
  readonly machineHealth: MachineHealthSettings;
  readonly machineOwner: MachineOwnerSettings;
  readonly powerCycle: PowerCycleSettings;
  readonly external: ExternalSettings;
  readonly notifications: NotificationSettings;
  readonly changeWindows: ChangeWindowSettings;
}

/** Where alerts, the HTTP API, health and metrics are served. */
export interface ServerSettings {
  /** An address and a port: `127.0.0.1:8080`, `[::]:8443`; `:8080` is every address. */
  readonly listenAddr: string;
  /** PEM files, read again when they change; HTTP without TLS when absent. */
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
}

/** How signals become requests. */
export interface GatewaySettings {
  /** How long an alert must stay resolved before it counts as gone: crash loops resolve between two restarts. */
  readonly resolvedGraceMs: number;
  /** So many requests may be open at once; further signals have to be sent again. */
  readonly maxOpenRequests: number;
  /** So many of them may be about objects of one namespace. */
  readonly maxOpenRequestsPerNamespace: number;
  /** So many alerts may one body have. */
  readonly maxAlerts: number;
  /** How the senders of signals are known. */
  readonly authentication: 'None' | 'TokenFile' | 'TokenReview';
  /** The bearer tokens of senders, one per line; for `TokenFile`. */
  readonly tokenFile?: string;
}

export interface AssessmentSettings {
  /** So many assessments are reconciled at the same time. */
  readonly maxConcurrentReconciles: number;
}

export interface MachineHealthSettings {
  /** Whether an annotation is enough to have a Machine remediated. */
  readonly allowRemediateAnnotation: boolean;
}

/** What power cycles may reach. */
export interface PowerCycleSettings {
  /** Management controllers that Secrets outside Sickbay's namespace may point to: addresses, networks and names, with commas between them. */
  readonly bmcAddresses: string;
}

/** Whether MachineSets are kept here, and how. */
export interface MachineOwnerSettings {
  /** On a real cluster no Machine is made or deleted without it. */
  readonly enabled: boolean;
  /** How long pods may take to leave a Node that is to go; 0 for ever. */
  readonly drainTimeoutMs: number;
}

/** What else watches the cluster, and can be asked whether a remediation helped. */
export interface ExternalSettings extends MonitoringPlaces {
  /** How far back before the assessment metrics are compared. */
  readonly prometheusLookbackMs: number;
  /** How often Prometheus measures: what is not there yet is looked for again then. */
  readonly scrapeIntervalMs: number;
}

/** The current settings. An observation reads them once, so that a decision rests on one set. */
export type SettingsSource = () => Settings;

/** How long a remediation may take, in all and in each phase. */
export interface PhaseTimeouts {
  readonly globalMs: number;
  readonly processingMs: number;
  readonly analyzingMs: number;
  readonly awaitingApprovalMs: number;
  readonly executingMs: number;
  readonly verifyingMs: number;
}

/** When a remediation is held back, and for how long. */
export interface RoutingSettings {
  /** So many failures of a fingerprint in a row hold it back. */
  readonly consecutiveFailureThreshold: number;
  readonly consecutiveFailureCooldownMs: number;
  /** The least time between two runs of one workflow on one target. */
  readonly recentlyRemediatedCooldownMs: number;
  readonly exponentialBackoffBaseMs: number;
  readonly exponentialBackoffMaxMs: number;
  /** The exponent of 2 never exceeds it. */
  readonly exponentialBackoffMaxExponent: number;
  /** How soon, and at most how late, an unmanaged target is checked again. */
  readonly scopeBackoffBaseMs: number;
  readonly scopeBackoffMaxMs: number;
  /** So many ineffective remediations of a target in a row hold it back. */
  readonly ineffectiveChainThreshold: number;
  /** So many remediations of a target, whatever came of them, hold it back. */
  readonly recurrenceCountThreshold: number;
  /** Only remediations inside this window count for the two. */
  readonly ineffectiveTimeWindowMs: number;
  readonly requeueResourceBusyMs: number;
  readonly requeueGenericErrorMs: number;
  /** How long a signal is left alone that needed no action, or a person. */
  readonly noActionRequiredDelayMs: number;
  /** Whether a request whose original has ended starts over, or takes over the original's result. */
  readonly onDuplicateResolved: 'Requeue' | 'Inherit';
  /** No block lasts longer than this. */
  readonly maxBlockedMs: number;
}

export interface ApprovalSettings {
  /** Whether the person who asked for a remediation may approve it. */
  readonly requesterMayApprove: boolean;
  /** How long a plan that a person rejected or cancelled is not proposed again, unless the spec of its target changes. */
  readonly askAgainAfterMs: number;
}

/** How much may be done at once, and in an hour. */
export interface BudgetSettings {
  /** Why nothing new may be started; undefined while things may. */
  readonly paused?: string;
  readonly running: { readonly cluster: number; readonly namespace: number; readonly node: number };
  readonly perHour: { readonly cluster: number; readonly namespace: number };
}

/** When a target is left alone whose workflows failed before anything ran. */
export interface ExecutionSettings {
  /** How long after the first failure; each one after it in a row doubles the time. */
  readonly baseCooldownMs: number;
  readonly maxCooldownMs: number;
  /** The exponent of 2 never exceeds it. */
  readonly maxBackoffExponent: number;
  /** So many failures in a row, and nothing runs on the target until a person clears it. */
  readonly maxConsecutiveFailures: number;
}

/** Where AWX is, for workflows whose engine is ansible. */
export interface AnsibleSettings {
  /** Undefined where there is none. */
  readonly apiURL?: string;
  /** The Secret that holds the token; in our own namespace when it names none. */
  readonly tokenSecretRef: { readonly name: string; readonly namespace: string; readonly key: string };
  /** The organization of AWX that credentials are made in. */
  readonly organizationID: number;
}

/** How long others take to carry on what a workflow changed. */
export interface PropagationSettings {
  readonly gitOpsSyncMs: number;
  readonly operatorReconcileMs: number;
  readonly proactiveAlertMs: number;
}
