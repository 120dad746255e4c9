import { describe, expect, test } from 'vitest';
import { DEFAULT_NOTIFICATIONS, type NotificationRoute } from '../../notification-settings.ts';
import { aNotification } from '../testing/a-notification.ts';
import { notificationAttributes } from './notification-attributes.ts';
import { routeNotification } from './route-notification.ts';

const route = (receiver: string, more: Partial<NotificationRoute> = {}): NotificationRoute => ({
  ...DEFAULT_NOTIFICATIONS.route,
  receiver,
  ...more,
});

const receiversOf = (root: NotificationRoute, attributes: Readonly<Record<string, string>>): readonly string[] =>
  routeNotification(root, attributes).map(({ receiver }) => receiver);

const tree = route('root', {
  routes: [
    route('audit', { match: { type: 'Completion' }, continue: true }),
    route('payments', {
      matchRe: { namespace: 'shop|pay-.*' },
      routes: [route('pager', { match: { priority: 'Critical' } }), route('chat', { match: { priority: 'High', type: 'Approval' } })],
    }),
    route('later', { match: { type: 'Completion' } }),
    route('last', { match: { namespace: 'shop' } }),
  ],
});

describe('routing', () => {
  test.each([
    ['nothing matches: the root receiver gets it', {}, ['root']],
    ['a child that matches takes it from the root', { namespace: 'shop' }, ['payments']],
    ['a sub-route takes it from its parent', { namespace: 'shop', priority: 'Critical' }, ['pager']],
    ['match needs every attribute', { namespace: 'shop', priority: 'High' }, ['payments']],
    ['and has them all', { namespace: 'shop', priority: 'High', type: 'Approval' }, ['chat']],
    ['a pattern matches the whole value', { namespace: 'workshop' }, ['root']],
    ['a pattern may end openly', { namespace: 'pay-eu' }, ['payments']],
    ['continue: those after it are evaluated too', { type: 'Completion' }, ['audit', 'later']],
    ['and stop at the next match', { type: 'Completion', namespace: 'shop' }, ['audit', 'payments']],
    ['a value is compared exactly', { type: 'completion' }, ['root']],
    ['names of the language are no attributes', { constructor: 'x' }, ['root']],
  ])('[CO-126] %s', (_, attributes, want) => expect(receiversOf(tree, attributes)).toEqual(want));

  test('an attribute that is missing is empty', () =>
    expect(receiversOf(route('root', { routes: [route('clusterwide', { match: { namespace: '' } })] }), {})).toEqual(['clusterwide']));

  test('says how it was reached and what its group is', () =>
    expect(routeNotification(route('root', { groupBy: ['namespace', 'team'], groupWaitMs: 5, routes: [] }), { namespace: 'shop' })).toEqual(
      [{ receiver: 'root', path: [], group: { namespace: 'shop', team: '' }, groupWaitMs: 5 }],
    ));

  test('the same receiver by two routes is named twice, and reached once by who sends', () =>
    expect(receiversOf(route('a', { routes: [route('b', { continue: true }), route('b')] }), {})).toEqual(['b', 'b']));
});

describe('the attributes of a notification', () => {
  const spec: ReturnType<typeof aNotification>['spec'] = {
    ...aNotification().spec,
    severity: 'critical',
    reviewSource: 'AIAnalysis',
    clusterID: 'eu-1',
    context: {
      target: { targetResource: 'shop/Deployment/checkout' },
      analysis: { outcome: 'Remediated', approvalReason: '' },
      verification: { assessed: true },
    },
    extensions: { team: 'payments', priority: 'Critical', type: 'Approval' },
  };

  test('[CO-126] come from its own fields first, so that extensions cannot change where it goes', () =>
    expect(notificationAttributes({ spec })).toEqual({
      type: 'Completion',
      severity: 'critical',
      priority: 'Low',
      'review-source': 'AIAnalysis',
      cluster: 'eu-1',
      'remediation-request': 'rr-1',
      namespace: 'shop',
      'target-kind': 'Deployment',
      'target-name': 'checkout',
      'target-resource': 'shop/Deployment/checkout',
      outcome: 'Remediated',
      assessed: 'true',
      team: 'payments',
    }));

  test('of a target without a namespace', () =>
    expect(
      notificationAttributes({ spec: { ...spec, context: { target: { targetResource: 'Node/worker-1' } }, extensions: {} } }),
    ).toMatchObject({ 'target-kind': 'Node', 'target-name': 'worker-1' }));
});
