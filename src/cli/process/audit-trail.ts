import { Gauge, type Registry } from 'prom-client';
import { given, parseTime, SECOND, steadyClock, systemClock, type Logger } from '../../base/index.ts';
import {
  checkpointFile,
  keyFileWarnings,
  keyPathOf,
  isDatabaseUrl,
  memoryAuditLog,
  openAuditLog,
  openPostgresAuditLog,
  TrailWatch,
  type AuditLog,
  type ChainedTrail,
  type TrailState,
} from '../../store/index.ts';

/** Where an audit trail is, and the files that belong to it. */
export interface AuditFiles {
  /** A file, or the address of a PostgreSQL database. */
  readonly path: string;
  /** Its keys; beside it when absent, which is for files only. */
  readonly keys?: string;
  /** Its checkpoints; none are kept when absent. */
  readonly checkpoints?: string;
}

/** The audit trail of a process, and what is known of its proof. */
export interface ProcessTrail {
  readonly audit: AuditLog;
  state(): TrailState;
  /** What a person has to know about it. */
  problem(): string | undefined;
  /** Makes the last checkpoint, and closes the file. */
  close(): Promise<void>;
}

/** Opens the trail, and verifies it while the process runs; without files it is in memory and proves nothing. */
export function openTrail(
  files: AuditFiles | undefined,
  { registry, log }: { readonly registry: Registry; readonly log: Logger },
): ProcessTrail {
  if (files === undefined) {
    const audit = memoryAuditLog();
    return { audit, state: () => ({ state: 'NotChained' }), problem: () => undefined, close: () => audit.close() };
  }
  const audit = opened(files);
  warnOfKeys(files, log);
  const checkpoints = files.checkpoints === undefined ? undefined : checkpointFile(files.checkpoints);
  const watch = new TrailWatch({ trail: audit, clock: systemClock, steady: steadyClock, log, ...(checkpoints && { checkpoints }) });
  registerTrailMetrics(registry, () => watch.state);
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  return {
    audit,
    state: () => watch.state,
    problem: () => watch.problem(),
    async close() {
      stop.abort(new Error('told to stop'));
      await running;
      await watch.checkpoint();
      await audit.close();
    },
  };
}

/** What can be read and used is no reason to refuse the start; a file that cannot be read shows when events are written. */
function warnOfKeys({ path, keys = keyPathOf(path) }: AuditFiles, log: Logger): void {
  try {
    for (const warning of keyFileWarnings(keys)) log.warn(warning);
  } catch {
    // Writing says it.
  }
}

const opened = ({ path, keys }: AuditFiles): AuditLog & ChainedTrail =>
  isDatabaseUrl(path) ? openPostgresAuditLog({ url: path, keys: keys ?? '' }) : openAuditLog(path, given({ keys }));

function registerTrailMetrics(registry: Registry, state: () => TrailState): void {
  const registers = [registry];
  new Gauge({
    name: 'sickbay_audit_findings',
    help: 'How many findings the last verification of the audit trail had; 0 when every event fits. -1 when the trail could not be verified.',
    registers,
    collect() {
      const now = state();
      this.set('verification' in now ? now.verification.findings.length : -1);
    },
  });
  new Gauge({
    name: 'sickbay_audit_verified_timestamp_seconds',
    help: 'When the audit trail was verified last, and every event fitted; 0 when it was not.',
    registers,
    collect() {
      const now = state();
      this.set(now.state === 'Verified' ? Number(parseTime(now.at) ?? 0) / SECOND : 0);
    },
  });
}
