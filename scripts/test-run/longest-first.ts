import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest on any machine: simulations, and tests that start the product. Begun last, they would keep one core busy alone. */
const LONG = [/\.sim\.test\.ts$/, /\/test\/integration\//, /\/cli\.test\.ts$/];

/** Begins with the files that take longest; the others keep the order of the test runner. Groups of projects stay in theirs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

const rankOf = ({ moduleId }: TestSpecification): number => (LONG.some((pattern) => pattern.test(moduleId)) ? 0 : 1);
