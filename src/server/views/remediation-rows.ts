import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf, keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import type { Store } from '../../kube/cache/cache.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { RemediationSummary } from '../contract/index.ts';
import { summaryOf } from './remediation-summary.ts';

/** A row with its JSON text, which is made once per change however often it is sent. */
export interface Row {
  readonly summary: RemediationSummary;
  readonly json: string;
}

/** The stores that rows are made of. */
export interface RowStores {
  readonly requests: Store<RemediationRequest>;
  readonly processings: Store<SignalProcessing>;
  readonly assessments: Store<EffectivenessAssessment>;
}

/**
 * The rows of all remediations, the newest first. A change marks its row; rows are made again when they are next read, so that a storm of
 * changes costs what is read of it.
 */
export class RemediationRows {
  readonly #stores: RowStores;
  readonly #rows = new Map<string, Row>();
  readonly #stale = new Map<string, ObjectKey>();
  #sorted: Row[] = [];
  #version = 0;

  constructor(stores: RowStores) {
    this.#stores = stores;
    const { requests, processings, assessments } = stores;
    for (const request of requests.list()) this.#mark(keyOf(request));
    requests.onChange(({ object }) => this.#mark(keyOf(object)));
    for (const store of [processings, assessments])
      (store as Store<KubeObject>).onChange(({ object }) => {
        const parent = requestOf(object);
        if (parent) this.#mark(parent);
      });
  }

  /** Changes whenever a row may have changed. */
  get version(): number {
    return this.#version;
  }

  /** The newest first. */
  all(): readonly Row[] {
    this.#refresh();
    return this.#sorted;
  }

  get(key: ObjectKey): Row | undefined {
    this.#refresh();
    return this.#rows.get(keyText(key));
  }

  #mark(key: ObjectKey): void {
    this.#stale.set(keyText(key), key);
    this.#version++;
  }

  #refresh(): void {
    if (this.#stale.size === 0) return;
    const isLarge = this.#stale.size > LARGE;
    for (const [text, key] of this.#stale) this.#replace(text, this.#rowOf(key), isLarge);
    this.#stale.clear();
    if (isLarge) this.#sorted = [...this.#rows.values()].toSorted(newestFirst);
  }

  #replace(key: string, row: Row | undefined, isSortedLater: boolean): void {
    const before = this.#rows.get(key);
    if (row) this.#rows.set(key, row);
    else this.#rows.delete(key);
    if (isSortedLater) return;
    if (before) this.#sorted.splice(placeOf(this.#sorted, before), 1);
    if (row) this.#sorted.splice(placeOf(this.#sorted, row), 0, row);
  }

  #rowOf(key: ObjectKey): Row | undefined {
    const request = this.#stores.requests.get(key);
    if (!request) return undefined;
    const { namespace } = key;
    const { signalProcessingRef, effectivenessAssessmentRef } = request.status ?? {};
    const child = <T extends KubeObject>(store: Store<T>, ref: { readonly name?: string } | undefined): T | undefined =>
      ref?.name === undefined ? undefined : store.get({ namespace, name: ref.name });
    const summary = summaryOf({
      request,
      processing: child(this.#stores.processings, signalProcessingRef),
      assessment: child(this.#stores.assessments, effectivenessAssessmentRef),
    });
    return { summary, json: JSON.stringify(summary) };
  }
}

/** More changes at a time are sorted as a whole. */
const LARGE = 200;

/** The remediation that a child belongs to, by its owner. */
export function requestOf(object: KubeObject): ObjectKey | undefined {
  const owner = controllerOf(object);
  return owner?.kind === 'RemediationRequest' ? { namespace: object.metadata.namespace ?? '', name: owner.name } : undefined;
}

/** By time, then by name: an order that is the same for every page. */
function newestFirst({ summary: a }: Row, { summary: b }: Row): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/** Where the row is, or belongs. */
function placeOf(sorted: readonly Row[], row: Row): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (newestFirst(sorted[middle]!, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
