import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import type { RecordedTest, TestRun } from './record.ts';

/** A vitest reporter that writes the run to `path`. */
export const recorder = (path: string): Reporter => ({
  onTestRunEnd(modules, unhandled) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(recordOf(modules, unhandled), undefined, 1));
  },
});

const recordOf = (modules: readonly TestModule[], unhandled: readonly SerializedError[]): TestRun => ({
  tests: modules.flatMap((module) => [...module.children.allTests()].map((test) => recordTest(module, test))),
  errors: [...modules.flatMap(outsideTests), ...unhandled.map((error) => error.message)],
  files: modules.map((module) => ({
    file: module.relativeModuleId,
    project: module.project.name,
    seconds: Math.round(module.diagnostic().duration / 100) / 10,
  })),
});

function recordTest(module: TestModule, test: TestCase): RecordedTest {
  const { state } = test.result();
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    title: test.fullName,
    state: state === 'pending' ? 'skipped' : state,
  };
}

/** Errors of the file itself and of hooks: suites fail without a failing test. */
const outsideTests = (module: TestModule): readonly string[] =>
  [module, ...module.children.allSuites()].flatMap((part) => part.errors().map((error) => `${module.relativeModuleId}: ${error.message}`));
