import type { Clock } from '../base/index.ts';
import { createAlertmanager, type Alertmanager } from './alertmanager.ts';
import { httpSource, type HttpSource } from './http-source.ts';
import type { MonitoringMetrics } from './monitoring-metrics.ts';
import { createPrometheus, type Prometheus } from './prometheus.ts';

/** Where the two are, and how to speak to them. */
export interface MonitoringPlaces {
  /** Without it no metrics are assessed. */
  readonly prometheusUrl?: string;
  readonly prometheusEnabled: boolean;
  /** Without it no alert is assessed. */
  readonly alertManagerUrl?: string;
  readonly alertManagerEnabled: boolean;
  /** Time limit of a query. */
  readonly connectionTimeoutMs: number;
  /** The authorities that may have signed their certificates. */
  readonly tlsCaFile?: string;
  /** The bearer token for both. */
  readonly tokenFile?: string;
}

/** The servers that can be queried. An absent one is not configured, which differs from one that does not answer. */
export interface Monitoring {
  readonly alertmanager?: Alertmanager;
  readonly prometheus?: Prometheus;
}

/** With connections that are held until it is closed. */
export interface OpenMonitoring extends Monitoring {
  close(): Promise<void>;
}

export interface MonitoringDeps {
  readonly clock: Clock;
  /** A steady clock, for time limits. */
  readonly steady: Clock;
  /** Nothing is counted when absent. */
  readonly metrics?: MonitoringMetrics | undefined;
}

/** Those that have an address and are not switched off. Nothing is connected to before it is asked. */
export function openMonitoring(places: MonitoringPlaces, { clock, steady, metrics }: MonitoringDeps): OpenMonitoring {
  const deps = { steady, timeoutMs: places.connectionTimeoutMs, ...(metrics && { metrics }) };
  const open: HttpSource[] = [];
  const sourceAt = (url: string): HttpSource => {
    const source = httpSource({ url, caFile: places.tlsCaFile, tokenFile: places.tokenFile, clock });
    open.push(source);
    return source;
  };
  const { prometheusUrl, alertManagerUrl } = places;
  return {
    ...(places.alertManagerEnabled &&
      alertManagerUrl !== undefined && { alertmanager: createAlertmanager(sourceAt(alertManagerUrl), deps) }),
    ...(places.prometheusEnabled && prometheusUrl !== undefined && { prometheus: createPrometheus(sourceAt(prometheusUrl), deps) }),
    close: async () => void (await Promise.all(open.map((source) => source.close()))),
  };
}
