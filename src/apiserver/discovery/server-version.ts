/** The Kubernetes version whose API this server follows: clients decide by it which features they use. */
const MAJOR = '1';
const MINOR = '36';

/** `/version`; the build, if any, is appended to the version as in `v1.36.0+BUILD`. */
export const serverVersion = (build?: string): object => ({
  major: MAJOR,
  minor: MINOR,
  emulationMajor: MAJOR,
  emulationMinor: MINOR,
  minCompatibilityMajor: MAJOR,
  minCompatibilityMinor: '35',
  gitVersion: `v${MAJOR}.${MINOR}.0${build === undefined ? '' : `+${build}`}`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
});
