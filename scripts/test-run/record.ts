/** The outcome of a test run, as stored in reports/tests.json. */
export interface TestRun {
  readonly tests: readonly RecordedTest[];
  /** Errors outside any test: a file that does not load, an unhandled rejection. */
  readonly errors: readonly string[];
  readonly files: readonly RecordedFile[];
}

/** One run, of what was run in parts. */
export const mergedRun = (parts: readonly TestRun[]): TestRun => ({
  tests: parts.flatMap(({ tests }) => tests),
  errors: parts.flatMap(({ errors }) => errors),
  files: parts.flatMap(({ files }) => files),
});

export interface RecordedFile {
  readonly file: string;
  readonly project: string;
  /** How long its tests and hooks took, without loading the file. */
  readonly seconds: number;
}

export interface RecordedTest {
  readonly file: string;
  /** The vitest project, which is also the name of the lane. */
  readonly project: string;
  /** With the titles of its suites before it. */
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
}

/** Where the last run is stored, from the root of the project. */
export const LAST_RUN = 'reports/tests.json';

/** The environment variable that makes vitest.config.ts store a record, and where. */
export const RECORD_SETTING = 'SICKBAY_TEST_RECORD';
