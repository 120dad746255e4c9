/** The Kubernetes whose API this server follows: clients decide by it what they may ask for. */
const MAJOR = '1';
const MINOR = '36';

/** `/version`. */
export const SERVER_VERSION = Object.freeze({
  major: MAJOR,
  minor: MINOR,
  emulationMajor: MAJOR,
  emulationMinor: MINOR,
  minCompatibilityMajor: MAJOR,
  minCompatibilityMinor: '35',
  gitVersion: `v${MAJOR}.${MINOR}.0+sickbay`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
});
