import { stringify } from 'yaml';

/** YAML without anchors and folded lines, so that a change of one field is a change of one line. */
export const toYaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
