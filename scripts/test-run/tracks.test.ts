import { describe, expect, test } from 'vitest';
import { lanes } from '../../src/testkit/lane.ts';
import { tracksOf } from './tracks.ts';

const UNIT = ['--project=unit', '--project=unit on SQLite'];
const all = Object.fromEntries(lanes.map(({ setting }) => [setting, '/there']));

describe('tracksOf', () => {
  test('without any server there is one track, which reports every lane as skipped', () => {
    expect(tracksOf(lanes, {})).toEqual([{ name: 'unit', args: [...UNIT, ...lanes.map(({ name }) => `--project=${name}`)], isMain: true }]);
  });

  test('with every server each lane is in one track beside the unit tests, and the control plane lane in two', () => {
    expect(tracksOf(lanes, all).map(({ name, args }) => [name, ...args])).toEqual([
      ['unit', ...UNIT],
      ['control plane 1 of 2', '--project=control plane', '--shard=1/2'],
      ['control plane 2 of 2', '--project=control plane', '--shard=2/2'],
      ['cluster and tekton', '--project=cluster', '--project=tekton'],
      [
        'monitoring and redfish and browser and postgres',
        '--project=monitoring',
        '--project=redfish',
        '--project=browser',
        '--project=postgres',
      ],
    ]);
  });

  test('a lane without its server is skipped in the main track', () => {
    const tracks = tracksOf(lanes, { ...all, SICKBAY_TEST_TEKTON_REGISTRY: '' });
    expect(tracks[0]?.args).toEqual([...UNIT, '--project=tekton']);
    expect(tracks.map(({ name }) => name)).toContain('cluster');
  });
});
