/** Who is notified of what, and through which channels: the section `notifications` of the config file. */
export interface NotificationSettings {
  /** Where people open the web console; messages then link to it. */
  readonly consoleUrl?: string;
  /** The root: it takes every notification that no route below it takes. */
  readonly route: NotificationRoute;
  readonly receivers: readonly NotificationReceiver[];
  /** How people decide from Slack; buttons are links to the console when absent. */
  readonly slack?: SlackApprovalSettings;
}

/** One node of the routing tree, as in Alertmanager. */
export interface NotificationRoute {
  readonly receiver: string;
  /** All of these attributes have exactly these values. */
  readonly match: Readonly<Record<string, string>>;
  /** All of these attributes match these patterns, from their first character to their last. */
  readonly matchRe: Readonly<Record<string, string>>;
  /** Whether routes after this one are evaluated too, once this one has matched. */
  readonly continue: boolean;
  /** Notifications that agree in these attributes may go out as one message. */
  readonly groupBy: readonly string[];
  /** How long a notification waits for others of its group; 0 sends each by itself. */
  readonly groupWaitMs: number;
  readonly routes: readonly NotificationRoute[];
}

export interface NotificationReceiver {
  readonly name: string;
  readonly channels: readonly ChannelSettings[];
}

/** One way to reach people. `name` is what status and metrics show, e.g. `slack:oncall`. */
export type ChannelSettings =
  | LogChannelSettings
  | FileChannelSettings
  | WebhookChannelSettings
  | SlackChannelSettings
  | TeamsChannelSettings
  | PagerDutyChannelSettings
  | EmailChannelSettings;

export type ChannelKind = ChannelSettings['kind'];

/** Where a credential is: an entry of a Secret in our own namespace, or a file. It is read for every message, so that a new one is used at once. */
export type CredentialPlace =
  { readonly kind: 'secret'; readonly name: string; readonly key: string } | { readonly kind: 'file'; readonly path: string };

interface ChannelBase {
  readonly name: string;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
}

export interface LogChannelSettings extends ChannelBase {
  readonly kind: 'log';
}

export interface FileChannelSettings extends ChannelBase {
  readonly kind: 'file';
  /** The folder that gets one file for each message. */
  readonly path: string;
}

export interface WebhookChannelSettings extends ChannelBase {
  readonly kind: 'webhook';
  readonly url: string;
  /** The key that messages are signed with. */
  readonly secret?: CredentialPlace;
}

/** With a bot token messages of one remediation go into one thread; an incoming webhook cannot do that. */
export interface SlackChannelSettings extends ChannelBase {
  readonly kind: 'slack';
  readonly access:
    | { readonly kind: 'webhook'; readonly url: CredentialPlace }
    | { readonly kind: 'bot'; readonly token: CredentialPlace; readonly channel: string; readonly apiUrl: string };
}

export interface TeamsChannelSettings extends ChannelBase {
  readonly kind: 'teams';
  readonly url: CredentialPlace;
}

export interface PagerDutyChannelSettings extends ChannelBase {
  readonly kind: 'pagerduty';
  readonly routingKey: CredentialPlace;
  readonly url: string;
  /** The severity of every incident; it follows the priority of the notification when absent. */
  readonly severity?: 'critical' | 'error' | 'warning' | 'info';
}

export interface EmailChannelSettings extends ChannelBase {
  readonly kind: 'email';
  readonly from: string;
  readonly to: readonly string[];
  /** The mail server, as host:port. */
  readonly smarthost: string;
  readonly username?: string;
  readonly password?: CredentialPlace;
  /** Whether mail is only sent over TLS. */
  readonly requireTls: boolean;
}

/** How people decide from Slack. */
export interface SlackApprovalSettings {
  /** The signing secret of the Slack app. */
  readonly signingSecret: CredentialPlace;
  /** The only Slack workspace whose users may decide; any when absent. */
  readonly teamId?: string;
  /** The Kubernetes user that each Slack user decides as, by the user's Slack id. */
  readonly users: Readonly<Record<string, string>>;
}

/** What holds where the config file says nothing: every notification is a line of the log. */
export const DEFAULT_NOTIFICATIONS: NotificationSettings = {
  route: { receiver: 'log', match: {}, matchRe: {}, continue: false, groupBy: [], groupWaitMs: 0, routes: [] },
  receivers: [{ name: 'log', channels: [{ kind: 'log', name: 'log', timeoutMs: 10_000 }] }],
};
