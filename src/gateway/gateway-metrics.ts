import { Counter, type Registry } from 'prom-client';
import type { SignalVerdict } from './signal-verdict.ts';

/** What the gateway reports about what it received. */
export interface GatewayMetrics {
  /** A signal got its verdict. */
  judged(verdict: SignalVerdict): void;
  /** Alertmanager left alerts out of a webhook. */
  cutOff(alerts: number): void;
  /** A webhook was answered. */
  answered(code: number): void;
}

/** Counts nothing. */
export const noGatewayMetrics: GatewayMetrics = { judged() {}, cutOff() {}, answered() {} };

/** Registers the metrics with a registry that is handed in; one set per registry. */
export function createGatewayMetrics(registry: Registry): GatewayMetrics {
  const registers = [registry];
  const signals = new Counter({
    name: 'sickbay_signals_total',
    help: 'Signals by verdict and its reason; a repeated or deferred signal counts each time it is sent.',
    labelNames: ['verdict', 'reason'],
    registers,
  });
  const cut = new Counter({ name: 'sickbay_signals_cut_off_total', help: 'Alerts that Alertmanager left out of webhooks.', registers });
  const webhooks = new Counter({
    name: 'sickbay_webhooks_total',
    help: 'Requests to the address of signals, by the code of the answer.',
    labelNames: ['code'],
    registers,
  });
  return {
    judged: (verdict) => signals.inc({ verdict: verdict.verdict, reason: reasonOf(verdict) }),
    cutOff: (alerts) => cut.inc(alerts),
    answered: (code) => webhooks.inc({ code: String(code) }),
  };
}

/** Why a signal got its verdict, where the verdict alone does not tell; from a closed set, so that no alert makes a series of its own. */
export function reasonOf(verdict: SignalVerdict): string {
  if ('because' in verdict) return verdict.because.replace(' ', '-');
  if (verdict.verdict === 'duplicate') return verdict.refused ? 'refused-by-person' : 'active';
  if (verdict.verdict === 'suppressed') return verdict.judged ?? 'wait';
  if (verdict.verdict === 'resolved') return verdict.request ? 'recorded' : 'nothing-open';
  return '';
}
