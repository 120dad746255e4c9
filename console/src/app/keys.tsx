import { Kbd, Modal } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { PAGES } from './navigation.tsx';

/** Keys that work on every page, and their list. */
export function Keys() {
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  useHotkeys([
    ['shift+?', open],
    ['/', () => void search(() => navigate({ to: '/remediations' }))],
    ...PAGES.map(({ key, to }) => [key, () => void navigate({ to })] as [string, () => void]),
  ]);
  return (
    <Modal opened={isOpen} onClose={close} title="Keys" size="sm">
      <dl className="keys">
        <Entry keys="/" what="search remediations" />
        {PAGES.map(({ key, label }) => (
          <Entry key={key} keys={key} what={label} />
        ))}
        <Entry keys="?" what="this list" />
      </dl>
    </Modal>
  );
}

const Entry = ({ keys, what }: { readonly keys: string; readonly what: string }) => (
  <div>
    <dt>
      <Kbd>{keys}</Kbd>
    </dt>
    <dd>{what}</dd>
  </div>
);

/** Puts the cursor into the search of the page; a page without one is left for the list of remediations. */
async function search(leave: () => Promise<void>): Promise<void> {
  const field = () => document.querySelector<HTMLInputElement>('input[type=search]');
  if (!field()) await leave();
  requestAnimationFrame(() => field()?.focus());
}
