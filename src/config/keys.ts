import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import type { Settings } from '../controllers/settings.ts';
import { KEY_TABLE } from './key-table.ts';
import type { SettingValue, ValueForm } from './value-forms.ts';

/** The way to one setting, e.g. `routing.scopeBackoffBaseMs`. Notifications and change windows are trees and have readers of their own (`read-trees.ts`). */
export type SettingPath = LeavesOf<Omit<Settings, 'notifications' | 'changeWindows'>>;

type LeavesOf<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends object ? `${K}.${LeavesOf<NonNullable<T[K]>>}` : K;
}[keyof T & string];

/** What the table says about one setting. */
export interface KeyEntry {
  /** Its name in the file, with the sections it is in. */
  readonly key: string;
  readonly form: ValueForm;
  /** One or two sentences for the person who edits the file. */
  readonly meaning: string;
  /** Other names that are accepted. */
  readonly aliases?: readonly string[];
  /** It cannot change while the process runs. */
  readonly needsRestart?: true;
}

/** A key of the config file. */
export interface ConfigKey extends KeyEntry {
  readonly setting: SettingPath;
}

/** Every key, in the order of the table. */
export const CONFIG_KEYS: readonly ConfigKey[] = Object.entries(KEY_TABLE).map(([setting, entry]: [string, KeyEntry]) => ({
  ...entry,
  setting: setting as SettingPath,
}));

/** By every name that is accepted. */
const BY_NAME: ReadonlyMap<string, ConfigKey> = new Map(
  CONFIG_KEYS.flatMap((key) => [key.key, ...(key.aliases ?? [])].map((name) => [name, key] as const)),
);

const SECTIONS: ReadonlySet<string> = new Set([...BY_NAME.keys()].flatMap(sectionsOf));

function sectionsOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** The seeds write some names with a capital first letter: `ConsecutiveFailureThreshold` is `consecutiveFailureThreshold`. */
const plain = (name: string): string =>
  name
    .split('.')
    .map((part) => part.slice(0, 1).toLowerCase() + part.slice(1))
    .join('.');

/** The key of that name, in any spelling that is accepted. */
export const keyNamed = (name: string): ConfigKey | undefined => BY_NAME.get(plain(name));

/** Are there keys under that name? */
export const isSection = (name: string): boolean => SECTIONS.has(plain(name));

/** What the settings have for a key. */
export const settingOf = (settings: Settings, { setting }: Pick<ConfigKey, 'setting'>): SettingValue =>
  setting.split('.').reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], settings) as SettingValue;

/** What holds where the file says nothing. */
export const defaultOf = (key: ConfigKey): SettingValue => settingOf(DEFAULT_SETTINGS, key);

/** The settings with another value for a key; undefined takes it away. */
export const withSetting = (settings: Settings, { setting }: Pick<ConfigKey, 'setting'>, value: SettingValue): Settings =>
  replaced(settings as unknown as Tree, setting.split('.'), value) as unknown as Settings;

type Tree = Readonly<Record<string, unknown>>;

function replaced(tree: Tree, [name = '', ...rest]: readonly string[], value: SettingValue): Tree {
  const { [name]: old, ...others } = tree;
  if (rest.length > 0) return { ...tree, [name]: replaced(old as Tree, rest, value) };
  return value === undefined ? others : { ...tree, [name]: value };
}
