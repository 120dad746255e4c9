import type { ErrorCode } from '../../../../base/index.ts';
import type { Read } from '../../../../kube/client/read.ts';
import type { AwxItem } from './client/awx-api.ts';

/** What kept the last call from doing what it was to do. */
export interface AwxFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A job of AWX, as far as an execution is concerned. */
export interface AwxJob {
  readonly id: number;
  /** In AWX's own words: pending, waiting, running, successful, failed, error, canceled. */
  readonly status: string;
  /** Whether it ever ran: from then on it may have changed the cluster. */
  readonly hasStarted: boolean;
  readonly explanation: string;
}

/** A job template, as AWX would launch it. */
export interface AwxTemplate {
  readonly id: number;
  /** Its own credentials, in AWX's order. */
  readonly credentials: readonly number[];
  readonly asksVariables: boolean;
  readonly asksCredentials: boolean;
  readonly needsInventory: boolean;
  readonly passwordsNeeded: readonly string[];
  readonly variablesNeeded: readonly string[];
}

/** Something that the workflow depends on, by name. */
export interface Dependency<T> {
  readonly name: string;
  readonly read: Read<T>;
}

/** Before anything is launched. */
export interface AwxStart {
  readonly kind: 'start';
  /** Absent where AWX has none of this name; several when the name alone does not tell which. */
  readonly template: Read<AwxTemplate> | { readonly kind: 'several' };
  /** Names of the entries; what they say is not for decisions. */
  readonly secrets: readonly Dependency<readonly string[]>[];
  readonly configMaps: readonly Dependency<Readonly<Record<string, string>>>[];
  /** Whose token the job is to get; undefined where no address of the cluster is configured for playbooks. */
  readonly account?: { readonly name: string; readonly isNamed: boolean; readonly read: Read<unknown> };
  /** What there is of this execution in AWX. */
  readonly types: readonly AwxItem[];
  readonly credentials: readonly AwxItem[];
  readonly trouble?: AwxFailure;
}

/** After the intent to launch was recorded in status. */
export interface AwxProgress {
  readonly kind: 'progress';
  /** The recorded job or, where none is recorded, the one that carries our mark. */
  readonly job: Read<AwxJob>;
  /** Read before the job was searched for; only where no job is recorded. */
  readonly credentials: readonly AwxItem[];
  /** The end of what the job said, without anything that is in a Secret. */
  readonly output?: string;
  readonly trouble?: AwxFailure;
}

/** After the end. */
export interface AwxLeftovers {
  readonly kind: 'remains';
  readonly types: readonly AwxItem[];
  readonly credentials: readonly AwxItem[];
  /** Absent where AWX has none, or nothing is left to find it by. */
  readonly job: Read<AwxJob>;
  readonly trouble?: AwxFailure;
}

/** What AWX has of an execution. Unreadable where it was not asked, or did not answer. */
export type ObservedAwx = { readonly kind: 'unreadable'; readonly reason: string } | AwxStart | AwxProgress | AwxLeftovers;

const OVER = new Set(['successful', 'failed', 'error', 'canceled']);

/** Whether nothing of the job goes on. */
export const isOver = ({ status }: AwxJob): boolean => OVER.has(status);
