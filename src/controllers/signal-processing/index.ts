/**
 * SignalProcessing, the first stage of a remediation: reads what a signal is about, and classifies how much it matters.
 *
 *   Pending → Enriching → Classifying → Categorizing → Completed
 *
 * In reading order:
 * - `decide.ts` leads an object from phase to phase.
 * - `observe.ts` reads the target, its owners and its namespace from the API server (`read-target-context.ts`), only while Enriching.
 * - `enrich.ts`, `classify.ts` and `categorize.ts` are the steps, each a pure function.
 *
 * What cannot be read is read again later; a target that does not exist is described by its signal alone (`degradedMode`).
 */
import { keyOf } from '../../api/meta.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type SignalProcessingSeen } from './observe.ts';

export type { SignalProcessingSeen };

/** Enriches and classifies signals. */
export const createSignalProcessingController = (settings: SettingsSource): Controller<SignalProcessingSeen> => ({
  name: 'signal-processing',
  primary: SignalProcessing,
  watches: [{ resource: SignalProcessing, namespace: settings().namespace, keys: (object) => [keyOf(object)] }],
  observe: (key, reader, now) => observe(key, reader, { now, own: settings() }),
  decide,
});
