import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RouteFlags } from './notifications-command.ts';
import { notificationsRoute } from './notifications-route.ts';

const FILE = `
notifications:
  route:
    receiver: log
    groupBy: [namespace]
    groupWait: 30s
    routes:
      - { match: { type: Approval }, receiver: oncall, continue: true }
      - { match: { priority: High }, receiver: nothing }
  receivers:
    - { name: log, logConfigs: [{}] }
    - { name: oncall, teamsConfigs: [{ webhookUrl: { file: /a } }] }
    - { name: nothing }
`;

async function routed(
  attributes: Readonly<Record<string, string>>,
  flags: Partial<RouteFlags> = {},
  text = FILE,
): Promise<readonly string[]> {
  const config = join(mkdtempSync(join(tmpdir(), 'sickbay-')), 'sickbay.yaml');
  writeFileSync(config, text);
  const lines: string[] = [];
  await notificationsRoute(attributes, { config, output: 'text', ...flags }, (line) => lines.push(line));
  return lines;
}

describe('sickbay notifications route', () => {
  test('says who gets it, by which route and through which channels', async () => {
    expect(await routed({ type: 'Approval', priority: 'High', namespace: 'shop' })).toEqual([
      'oncall (route.routes[0]): teams:oncall; waits 30s for others with the same namespace=shop',
      'nothing (route.routes[1]): no channel: it is dropped; waits 30s for others with the same namespace=shop',
    ]);
    expect(await routed({})).toEqual(['log (route): log; waits 30s for others with the same namespace=""']);
  });

  test('warns of what this version does not do', async () => {
    const config = join(mkdtempSync(join(tmpdir(), 'sickbay-')), 'sickbay.yaml');
    writeFileSync(config, FILE);
    expect(await notificationsRoute({}, { config, output: 'text' }, () => undefined)).toContain('groupWait is not followed');
    expect(await notificationsRoute({}, { output: 'text' }, () => undefined)).toBeUndefined();
  });

  test('says so in JSON too', async () =>
    expect(JSON.parse((await routed({ type: 'Approval' }, { output: 'json' })).join(''))).toEqual({
      attributes: { type: 'Approval' },
      routes: [{ receiver: 'oncall', route: 'route.routes[0]', channels: ['teams:oncall'], groupWait: '30s', group: { namespace: '' } }],
    }));

  test('goes by the defaults without a file', async () => {
    const lines: string[] = [];
    await notificationsRoute({}, { output: 'text' }, (line) => lines.push(line));
    expect(lines).toEqual(['log (route): log']);
  });

  test('fails where others get it than are named', async () => {
    await expect(routed({}, { verify: ['log'] })).resolves.toHaveLength(1);
    await expect(routed({}, { verify: ['oncall'] })).rejects.toThrow('it goes to log, but --verify says oncall');
  });

  test('names what is wrong with the file', async () =>
    expect(routed({}, {}, 'notifications: { route: { receiver: x } }')).rejects.toThrow(
      'notifications.route.receiver is x, which is no receiver: there are log',
    ));
});
