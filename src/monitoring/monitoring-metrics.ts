import { Counter, type Registry } from 'prom-client';
import { PlatformError } from '../base/index.ts';

/** Whom a question was put to. */
export type Service = 'prometheus' | 'alertmanager';

/** Why there was no answer that could be used: nobody spoke, it said no, or what it said makes no sense. */
export type CallFailure = 'unavailable' | 'refused' | 'malformed';

/** Where failures are counted. */
export interface MonitoringMetrics {
  /** A question, with all its repetitions, came to nothing. */
  failed(service: Service, why: CallFailure): void;
}

/** Registers the metrics with a registry that is handed in; one set per registry. */
export function createMonitoringMetrics(registry: Registry): MonitoringMetrics {
  const errors = new Counter({
    name: 'kubernaut_effectivenessmonitor_external_call_errors_total',
    help: 'Questions to Prometheus and Alertmanager that brought no answer that could be used, by why.',
    labelNames: ['service', 'reason'],
    registers: [registry],
  });
  return { failed: (service, reason) => errors.inc({ service, reason }) };
}

/** The kind of a failure; what is not one of ours comes from the connection. */
export function failureKind(error: unknown): CallFailure {
  if (!(error instanceof PlatformError)) return 'unavailable';
  if (error.code === 'BadRequest') return 'refused';
  return error.code === 'Unsupported' ? 'malformed' : 'unavailable';
}
