import { Kbd, Modal } from '@mantine/core';
import { useDisclosure, useHotkeys, type HotkeyItem } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { PAGES } from './navigation.tsx';

/** Keys that work on every page, and their list. */
export function Keys() {
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  useHotkeys([
    ...pressed('?', open),
    ...pressed('/', () => void search(() => navigate({ to: '/remediations' }))),
    ...PAGES.map(({ key, to }) => [key, () => void navigate({ to })] as HotkeyItem),
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

/** With Shift or without: that depends on the keyboard. */
const pressed = (key: string, act: () => void): readonly HotkeyItem[] => [
  [key, act],
  [`shift+${key}`, act],
];

/** Puts the cursor into the search of the page; a page without one is left for the list of remediations. */
async function search(leave: () => Promise<void>): Promise<void> {
  const field = () => document.querySelector<HTMLInputElement>('input[type=search]');
  if (!field()) await leave();
  requestAnimationFrame(() => field()?.focus());
}
