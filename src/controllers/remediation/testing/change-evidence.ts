import { after, HOUR, type Instant } from '../../../base/index.ts';
import type { ChangeWindow, WindowScope } from '../../change-window-settings.ts';
import type { ChangeEvidence } from '../routing/index.ts';

/** A window from an hour before a moment until some time after it. */
export const windowAround = (now: Instant, untilMs: number, scope: WindowScope = {}): ChangeWindow => ({
  name: 'year-end',
  reason: 'the books are closed',
  timeZone: 'UTC',
  times: { kind: 'range', from: after(now, -HOUR), until: after(now, untilMs) },
  scope,
});

/** The evidence of change windows: none, unless told otherwise. */
export const changesWith = (windows: Partial<ChangeEvidence['windows']>, more: Partial<ChangeEvidence> = {}): ChangeEvidence => ({
  windows: { changeFreezes: [], maintenanceWindows: [], ...windows },
  labels: { kind: 'value', value: {} },
  ...more,
});

/** A change freeze of everything, for some time from a moment on. */
export const frozen = (now: Instant, untilMs = HOUR, more: Partial<ChangeEvidence> = {}): ChangeEvidence =>
  changesWith({ changeFreezes: [windowAround(now, untilMs)] }, more);
