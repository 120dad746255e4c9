import { changedSpec, type Violation } from '../violation.ts';

export const signalProcessingViolations: readonly Violation[] = [changedSpec({ '/spec/signal/severity': 'low' })];
