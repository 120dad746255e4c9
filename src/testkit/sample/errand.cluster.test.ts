import { expect, test } from 'vitest';
import { MINUTE } from '../../base/index.ts';
import { describeOnCluster } from '../lanes.ts';
import { runErrandsForReal } from './real-run.ts';

describeOnCluster('the sample controller on a cluster with real nodes', (kubeconfig) => {
  test('its Jobs really run', { timeout: 4 * MINUTE }, async () => {
    const errands = [
      { name: 'one', target: 'plants' },
      { name: 'two', target: 'plants' },
    ];
    const end = await runErrandsForReal({ kubeconfig: kubeconfig(), errands, deadlineMs: 3 * MINUTE });
    expect(end.errands.map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([
      ['one', 'Succeeded'],
      ['two', 'Succeeded'],
    ]);
    expect(end.jobsLeft).toBe(0);
  });
});
