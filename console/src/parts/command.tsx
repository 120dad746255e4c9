import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** A command to copy. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <code>{text}</code>
      <CopyButton value={text} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy: ${text}`}>
              {copied ? <CheckIcon /> : <CopyIcon />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
