import type { Severity } from '../api/parts/signal.ts';
import type { Instant } from '../base/index.ts';

/** When workflows may be run: the sections `changeFreezes` and `maintenanceWindows` of the config file. */
export interface ChangeWindowSettings {
  /** While one is in force, nothing in its scope is changed. */
  readonly changeFreezes: readonly ChangeWindow[];
  /** What is in the scope of one or more is changed only while one of them is open. */
  readonly maintenanceWindows: readonly ChangeWindow[];
}

/** A time, once or again and again, and what it is about. */
export interface ChangeWindow {
  readonly name: string;
  /** For people. */
  readonly reason?: string;
  /** Of the schedule. */
  readonly timeZone: string;
  readonly times: WindowTimes;
  readonly scope: WindowScope;
}

export type WindowTimes =
  /** From each start, for so long on the clocks of the zone. */
  | { readonly kind: 'cron'; readonly start: string; readonly durationMs: number }
  | { readonly kind: 'range'; readonly from: Instant; readonly until: Instant };

/** All that is given must hold; without any it is about everything. */
export interface WindowScope {
  /** Names of namespaces, in which a * stands for any characters. */
  readonly namespaces?: readonly string[];
  /** Of the target, or else of its namespace. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly severities?: readonly Severity[];
}

export const NO_CHANGE_WINDOWS: ChangeWindowSettings = { changeFreezes: [], maintenanceWindows: [] };
