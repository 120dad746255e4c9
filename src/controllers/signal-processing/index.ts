/**
 * The first stage: who and what is affected by a signal, and how much it matters.
 *
 *   Pending → Enriching → Classifying → Categorizing → Completed
 *
 * - `observe.ts` asks the server for the target, its owners and its namespace (`surroundings.ts`), while Enriching and at no other time.
 * - `decide.ts` is the life of the object; each step is a pure function of its own: `enrich.ts`, `classify.ts`, `categorize.ts`.
 * - What cannot be read is read again later; what does not exist is described by the signal alone (`degradedMode`).
 * Start with decide.ts.
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
  observe,
  decide,
});
