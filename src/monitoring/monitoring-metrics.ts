import { Counter, type Registry } from 'prom-client';
import { PlatformError } from '../base/index.ts';

/** The server that was queried. */
export type Service = 'prometheus' | 'alertmanager';

/** Why there is no usable answer: the server did not answer, refused, or sent a malformed answer. */
export type CallFailure = 'unavailable' | 'refused' | 'malformed';

/** Where failures are counted. */
export interface MonitoringMetrics {
  /** A query failed, with all its retries. */
  failed(service: Service, why: CallFailure): void;
}

/** Registers the metrics with a registry that is handed in; one set per registry. */
export function createMonitoringMetrics(registry: Registry): MonitoringMetrics {
  const errors = new Counter({
    name: 'kubernaut_effectivenessmonitor_external_call_errors_total',
    help: 'Queries to Prometheus and Alertmanager without a usable answer, by reason.',
    labelNames: ['service', 'reason'],
    registers: [registry],
  });
  return { failed: (service, reason) => errors.inc({ service, reason }) };
}

/** The kind of a failure; an error that is not a PlatformError comes from the connection. */
export function failureKind(error: unknown): CallFailure {
  if (!(error instanceof PlatformError)) return 'unavailable';
  if (error.code === 'BadRequest') return 'refused';
  return error.code === 'Unsupported' ? 'malformed' : 'unavailable';
}
