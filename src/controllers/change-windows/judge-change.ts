import type { Severity } from '../../api/parts/signal.ts';
import type { Instant } from '../../base/index.ts';
import type { ChangeWindow, ChangeWindowSettings } from '../change-window-settings.ts';
import { inScope } from './in-scope.ts';
import { spanOf, type WindowSpan } from './window-span.ts';

/** What a workflow is to change. */
export interface ChangedThing {
  /** Absent for what has none, such as a Node. */
  readonly namespace?: string | undefined;
  /** Those of its namespace, overlaid by its own. */
  readonly labels:
    { readonly kind: 'value'; readonly value: Readonly<Record<string, string>> } | { readonly kind: 'unreadable'; readonly reason: string };
  readonly severity: Severity;
}

/** Whether it may be changed now. */
export type ChangeVerdict =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'closed';
      readonly by: 'ChangeFreeze' | 'MaintenanceWindow';
      readonly window: ChangeWindow;
      /** When that freeze ends, or that window opens; absent where no window opens again. */
      readonly until?: Instant;
      /** No window opens for it, since the severity of its signals is not known. */
      readonly isSeverityUnknown?: true;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * A freeze that is in force decides before everything else; of several the one that ends last. Without a freeze, maintenance windows about the
 * target decide: one of them must be open, else the one that opens first is waited for.
 */
export function judgeChange(windows: ChangeWindowSettings, thing: ChangedThing, now: Instant): ChangeVerdict {
  const freezes = windows.changeFreezes.flatMap((window) => openAt(window, now)).toSorted((a, b) => b.until - a.until);
  const frozen = freezes.find(({ window }) => inScope(window.scope, thing) === 'yes');
  if (frozen) return { kind: 'closed', by: 'ChangeFreeze', ...frozen };
  if (freezes.some(({ window }) => inScope(window.scope, thing) === 'unknown')) return unreadable(thing);
  return byMaintenance(windows.maintenanceWindows, thing, now);
}

function byMaintenance(windows: readonly ChangeWindow[], thing: ChangedThing, now: Instant): ChangeVerdict {
  const scoped = windows.map((window) => ({ window, scope: inScope(window.scope, thing), span: spanOf(window, now) }));
  const about = scoped.filter(({ scope }) => scope === 'yes');
  const fit = about.filter(({ window: { scope } }) => !(scope.severities && thing.severity === 'unknown'));
  if (fit.some(({ span }) => span.kind === 'open')) return { kind: 'open' };
  // One about it that is closed, or none about it, but perhaps this one.
  if (scoped.some(({ scope }) => scope === 'unknown')) return unreadable(thing);
  const [first] = fit.toSorted((a, b) => opens(a.span) - opens(b.span));
  if (!first)
    return about[0] ? { kind: 'closed', by: 'MaintenanceWindow', window: about[0].window, isSeverityUnknown: true } : { kind: 'open' };
  const until = opens(first.span);
  return { kind: 'closed', by: 'MaintenanceWindow', window: first.window, ...(Number.isFinite(until) && { until: until as Instant }) };
}

const opens = (span: WindowSpan): number => (span.kind === 'closed' ? (span.next ?? Infinity) : -Infinity);

function openAt(window: ChangeWindow, now: Instant): readonly { readonly window: ChangeWindow; readonly until: Instant }[] {
  const span = spanOf(window, now);
  return span.kind === 'open' ? [{ window, until: span.until }] : [];
}

const unreadable = ({ labels }: ChangedThing): ChangeVerdict => ({
  kind: 'unknown',
  reason: `its labels, which decide whether a change window is about it, cannot be read${labels.kind === 'unreadable' ? `: ${labels.reason}` : ''}`,
});
