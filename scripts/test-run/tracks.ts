import {
  browserLane,
  clusterLane,
  controlPlaneLane,
  monitoringLane,
  postgresLane,
  redfishLane,
  tektonLane,
  type Lane,
} from '../../src/testkit/lane.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Part of a whole test run, in a test runner of its own: tracks run at the same time, the files of one lane in one track do not. */
export interface Track {
  readonly name: string;
  /** Arguments of the test runner. */
  readonly args: readonly string[];
  /** The main track prints as it goes; the output of the others follows when they have finished. */
  readonly isMain: boolean;
}

const UNIT_PROJECTS = ['unit', 'unit on SQLite'];

/** Lanes that mostly wait for their servers. Each shard of the control plane lane starts a control plane of its own. */
const SIDE_TRACKS: readonly { readonly lanes: readonly Lane[]; readonly shards: number }[] = [
  { lanes: [controlPlaneLane], shards: 2 },
  { lanes: [clusterLane, tektonLane], shards: 1 },
  { lanes: [monitoringLane, redfishLane, browserLane, postgresLane], shards: 1 },
];

/** The tracks of a whole run: the unit tests, with the lanes whose tests are skipped, and beside them the lanes that are open. */
export function tracksOf(lanes: readonly Lane[], env: Environment): readonly Track[] {
  const isOpen = ({ setting }: Lane): boolean => Boolean(env[setting]);
  const closed = lanes.filter((lane) => !isOpen(lane)).map(({ name }) => name);
  const side = SIDE_TRACKS.flatMap(({ lanes: ofTrack, shards }) => {
    const open = ofTrack.filter(isOpen).map(({ name }) => name);
    return open.length === 0 ? [] : Array.from({ length: shards }, (_, i) => sideTrack(open, i + 1, shards));
  });
  return [{ name: 'unit', args: projectArguments([...UNIT_PROJECTS, ...closed]), isMain: true }, ...side];
}

function sideTrack(projects: readonly string[], shard: number, shards: number): Track {
  const [part, args] = shards === 1 ? ['', []] : [` ${shard} of ${shards}`, [`--shard=${shard}/${shards}`]];
  return { name: `${projects.join(' and ')}${part}`, args: [...projectArguments(projects), ...args], isMain: false };
}

const projectArguments = (names: readonly string[]): readonly string[] => names.map((name) => `--project=${name}`);
