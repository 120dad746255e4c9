import type { Settings } from '../controllers/settings.ts';
import { readChangeWindows } from './change-windows/read-change-windows.ts';
import { pathText, type FieldProblem } from './field-reader.ts';
import { readNotifications } from './notifications/read-notifications.ts';
import type { Subtree } from './notifications/read-subtree.ts';
import type { ConfigProblem } from './problem.ts';
import type { Entries, TreeName } from './read-entries.ts';

interface ReadTrees {
  readonly settings: Settings;
  readonly problems: readonly ConfigProblem[];
}

/** What a section comes to. */
interface ReadTree {
  readonly settings?: Partial<Settings>;
  readonly problems: readonly FieldProblem[];
}

const READERS: Readonly<Record<TreeName, (raw: unknown, before: Settings) => ReadTree>> = {
  notifications: (raw) => {
    const { settings: notifications, problems } = readNotifications(raw);
    return { ...(notifications && { settings: { notifications } }), problems };
  },
  changeFreezes: (raw, before) => windows('changeFreezes', raw, before),
  maintenanceWindows: (raw, before) => windows('maintenanceWindows', raw, before),
};

function windows(section: 'changeFreezes' | 'maintenanceWindows', raw: unknown, { changeWindows: before }: Settings): ReadTree {
  const { windows: read, problems } = readChangeWindows(raw, section);
  return { ...(read && { settings: { changeWindows: { ...before, [section]: read } } }), problems };
}

/** The sections that are trees, with the line of each field that is wrong. An empty section is as by default. */
export function readTrees(trees: Entries['trees'], settings: Settings): ReadTrees {
  const found = Object.entries(trees) as [TreeName, Subtree][];
  return found.reduce<ReadTrees>(
    (before, [name, { raw, at, problems }]) => {
      if (problems.length > 0 || raw === undefined || raw === null) return { ...before, problems: [...before.problems, ...problems] };
      const read = READERS[name](raw, before.settings);
      const wrong = read.problems.map(({ path, message }) => ({ at: at(path), key: pathText(path), message }));
      return { settings: { ...before.settings, ...read.settings }, problems: [...before.problems, ...wrong] };
    },
    { settings, problems: [] },
  );
}
