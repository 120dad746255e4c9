import { ConfigMap, Job } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import type { Instant } from '../../base/index.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { readRun } from '../../runtime/reconcile/two-step-start.ts';
import { deadlineOf, Errand, reportName, runName } from './errand.ts';

/** All that a decision about an errand rests on. */
export interface ErrandSeen {
  readonly object: Errand;
  readonly run: Read<Job>;
  readonly report: Read<ConfigMap>;
}

export async function observe(key: ObjectKey, reader: Reader, now: Instant): Promise<ErrandSeen | undefined> {
  const errand = reader.get(Errand, key);
  if (errand.kind !== 'value') return undefined;
  const object = errand.value;
  const { phase, runUid } = object.status ?? {};
  const recordedUid = phase === 'Running' ? runUid : undefined;
  return {
    object,
    run: await readRun(reader, {
      resource: Job,
      key: { namespace: key.namespace, name: runName(object) },
      recordedUid,
      isLate: now >= deadlineOf(object, now),
    }),
    report: reader.get(ConfigMap, { namespace: key.namespace, name: reportName(object) }),
  };
}
