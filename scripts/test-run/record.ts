/** What a test run came to, in the form in which it is kept in reports/tests.json. */
export interface TestRun {
  readonly tests: readonly RecordedTest[];
  /** What went wrong outside any test: a file that does not load, a rejection nobody caught. */
  readonly errors: readonly string[];
}

export interface RecordedTest {
  readonly file: string;
  /** The vitest project, which is also the name of the lane. */
  readonly project: string;
  /** With the titles of its suites before it. */
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
}

/** Where the last run is kept, from the root of the project. */
export const LAST_RUN = 'reports/tests.json';

/** The variable that tells vitest.config.ts to keep a record, and where. */
export const RECORD_SETTING = 'SICKBAY_TEST_RECORD';
