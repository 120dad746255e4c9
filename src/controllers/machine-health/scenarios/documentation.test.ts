import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { WATCH_FILTER_SICKBAY } from '../other-controllers/managing-controller.ts';

const page = readFileSync(new URL('../../../../docs/machine-health.md', import.meta.url), 'utf8');

/** A chapter of the page, on one line. */
const chapter = (heading: string): string => {
  const found = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  expect(found, `docs/machine-health.md has no chapter "${heading}"`).toBeDefined();
  return (found ?? '').replaceAll(/\s+/g, ' ');
};

describe('the page on machine health', () => {
  test('[MH-151] warns of overlapping checks, in bold, and describes the consequences', () => {
    const text = chapter('The gate');
    expect(text).toContain('**Let no two checks select the same Machine.**');
    expect(text).toContain('both report it (`Overlapping`)');
  });

  test('shows how to have Sickbay manage a check beside Cluster API, with the annotation and label that the code reads', () => {
    const text = chapter('Where Cluster API is installed');
    expect(text).toContain(`kubectl annotate machinehealthcheck workers ${ANNOTATIONS.paused}=`);
    expect(text).toContain(`kubectl label machinehealthcheck workers ${LABELS.watchFilter}=${WATCH_FILTER_SICKBAY}`);
    expect(text).toContain('`NotKeptOff`');
  });
});
