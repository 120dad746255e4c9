import { changedSpec, type Violation } from '../violation.ts';

export const effectivenessAssessmentViolations: readonly Violation[] = [changedSpec({ '/spec/config/stabilizationWindow': '1s' })];
