import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { serverClock } from '../clock.ts';
import { tokenOfTab } from '../data/api.ts';
import { queries } from '../data/queries.ts';
import { durationText } from '../parts/durations.ts';
import { MoonIcon, SunIcon, SystemIcon } from '../parts/icons.tsx';
import { Live, LiveMark, LostBanner } from './live.tsx';
import { Keys } from './keys.tsx';
import { Navigation } from './navigation.tsx';
import { SignedIn, useSession } from './session.tsx';

/** What surrounds every page. */
export const Shell = () => (
  <SignedIn>
    <Live>
      <a href="#page" className="skip">
        Skip to the page
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          <img src="/favicon.svg" alt="" width={22} height={22} />
          Sickbay
        </Link>
        <Navigation />
        <div className="bar-end">
          <LiveMark />
          <SchemeSwitch />
          <UserMenu />
        </div>
      </header>
      <LostBanner />
      <ClockBanner />
      <HealthBanner />
      <main id="page" tabIndex={-1}>
        <Outlet />
      </main>
      <Keys />
    </Live>
  </SignedIn>
);

const ICONS = { auto: <SystemIcon />, dark: <MoonIcon />, light: <SunIcon /> } as const;

function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { auto: 'dark', dark: 'light', light: 'auto' } as const;
  const words = { auto: 'as the system', dark: 'dark', light: 'light' } as const;
  const label = `Colours: ${words[colorScheme]}. Change to ${words[next[colorScheme]]}`;
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={() => setColorScheme(next[colorScheme])}>
      {ICONS[colorScheme]}
    </ActionIcon>
  );
}

function UserMenu() {
  const { user, via, version, may } = useSession();
  const rights = [may.decide && 'approve and reject', may.cancel && 'cancel', may.clearBlocks && 'clear blocks'].filter(Boolean);
  const signOut = () => {
    tokenOfTab.forget();
    location.reload();
  };
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <button type="button" className="user">
          <bdi>{user}</bdi>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {rights.length > 0 ? `You may ${rights.join(', ')}.` : 'You may look, and change nothing.'} Signed in by {via}.
        </Menu.Label>
        {via === 'token' && <Menu.Item onClick={signOut}>Sign out</Menu.Item>}
        <Menu.Item component="a" href="/openapi.json" target="_blank">
          HTTP API
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Sickbay {version} · press ? for keys</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

const MOST_SKEW_MS = 2 * 60_000;

/** Says that times are the server's, where a look at the browser's clock would mislead. */
function ClockBanner() {
  useSession();
  const ahead = serverClock.browserAheadMs;
  if (Math.abs(ahead) < MOST_SKEW_MS) return undefined;
  return (
    <div className="banner" data-look="info" role="note">
      The clock of this browser is {durationText(Math.abs(ahead))} {ahead > 0 ? 'ahead of' : 'behind'} the server&rsquo;s. Limits are
      counted by the server&rsquo;s clock.
    </div>
  );
}

function HealthBanner() {
  const { data } = useQuery(queries.health());
  const failing = data?.checks.filter(({ ok }) => !ok) ?? [];
  if (failing.length === 0) return undefined;
  return (
    <div className="banner" data-look={data?.status === 'failing' ? 'failure' : 'info'} role="note">
      {failing.map(({ name, message }) => (
        <div key={name}>
          <strong>{name}:</strong> {message ?? 'fails'}
        </div>
      ))}
    </div>
  );
}
