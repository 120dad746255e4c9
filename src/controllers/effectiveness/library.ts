/**
 * How states of a target are compared, and how an assessment is scored, for other programs: `import { fingerprint, overallScore }
 * from 'sickbay/effectiveness'`. Pure functions over plain objects: nothing here reads a cluster, waits, or knows of controllers. The vectors in
 * `testing/vectors.json` say what they return, for implementations in other languages. Explained in docs/effectiveness.md.
 *
 * - Hashes: `specHash` of a spec alone, `configMapHash` of what a ConfigMap holds, `configMapRefs` for which ConfigMaps count, and `fingerprint`
 *   of all of it together, which is what requests and assessments record. `hasDrifted` compares several of them.
 * - Scores: `scoreHealth`, `scoreAlert` and `scoreMetrics` judge one component each, from 0 to 1 or not at all; `overallScore` makes one number
 *   of them, `measuredShare` says how much of the weights it rests on, and `scoreText` says both in words.
 */
export { measuredShare, overallScore, scoreText } from '../../api/effectiveness-assessment/overall-score.ts';
export { configMapHash } from '../target/config-map-hash.ts';
export { configMapRefs } from '../target/config-map-refs.ts';
export { fingerprint, knownSpecHash, type Fingerprint, type SeenTarget } from '../target/fingerprint.ts';
export { specHash } from '../target/spec-hash.ts';
export { scoreAlert } from './scorers/alert.ts';
export { scoreHealth, type Health, type TargetPods } from './scorers/health.ts';
export { improvementOf, scoreMetrics, type Measured, type MetricsFinding, type MetricSpan } from './scorers/metrics.ts';
export { hasDrifted, type SpecHashes } from './scorers/spec-hash.ts';
