import type { PodTemplate } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { isObject } from '../../base/index.ts';

/** On what was broken: by which fault, and what was there before. */
export const FAULT_LABEL = 'local.sickbay.dev/fault';
const BEFORE_ANNOTATION = 'local.sickbay.dev/before-fault';

/** What healing needs to know. */
export interface Before {
  /** That of the Deployment which was broken, or whose pods read the ConfigMap. */
  readonly template?: PodTemplate;
  readonly value?: string;
  readonly key?: string;
  /** The Deployment whose pods read the ConfigMap. */
  readonly deployment?: string;
}

export const faultOn = ({ metadata }: Pick<KubeObject, 'metadata'>): string | undefined => metadata.labels?.[FAULT_LABEL];

/** Undefined where the annotation is gone or no longer what was written. */
export function beforeFault({ metadata }: Pick<KubeObject, 'metadata'>): Before | undefined {
  try {
    const read: unknown = JSON.parse(metadata.annotations?.[BEFORE_ANNOTATION] ?? 'null');
    return isObject(read) ? (read as Before) : undefined;
  } catch {
    return undefined;
  }
}

/** The marks as a merge patch of the metadata. */
export const marks = (fault: string, before: Before) => ({
  labels: { [FAULT_LABEL]: fault },
  annotations: { [BEFORE_ANNOTATION]: JSON.stringify(before) },
});

export const noMarks = { labels: { [FAULT_LABEL]: null }, annotations: { [BEFORE_ANNOTATION]: null } } as const;
