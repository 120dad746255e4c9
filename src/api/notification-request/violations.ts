import { changedSpec, type Violation } from '../violation.ts';

export const notificationRequestViolations: readonly Violation[] = [changedSpec({ '/spec/body': 'something else' })];
