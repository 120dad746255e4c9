import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { throttled } from '../clock.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  /** Undefined when the field is empty. */
  readonly onChange: (text: string | undefined) => void;
}

/** The server is asked a moment after the last key. */
export function SearchField({ label, placeholder, value = '', onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    let isOver = false;
    throttled(200, () => {
      if (!isOver) onChange(text === '' ? undefined : text);
    })();
    return () => {
      isOver = true;
    };
  });
  return (
    <TextInput
      size="xs"
      type="search"
      className="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
