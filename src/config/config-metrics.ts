import { Gauge, type Registry } from 'prom-client';
import { SECOND } from '../base/index.ts';
import type { ConfigFile } from './open-config.ts';

/** Reports, as Prometheus does for its own file, whether the current config file is in force, and when it was last read and valid. */
export function registerConfigMetrics(registry: Registry, file: Pick<ConfigFile, 'problem' | 'lastSuccess'>): void {
  const registers = [registry];
  new Gauge({
    name: 'sickbay_config_last_reload_successful',
    help: '1 when the config file was valid the last time it was read; 0 when it was refused and earlier settings are in force.',
    registers,
    collect() {
      this.set(file.problem() === undefined ? 1 : 0);
    },
  });
  new Gauge({
    name: 'sickbay_config_last_reload_success_timestamp_seconds',
    help: 'When the config file was last read and valid.',
    registers,
    collect() {
      this.set(file.lastSuccess() / SECOND);
    },
  });
}
