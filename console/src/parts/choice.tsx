import { Select, type SelectProps } from '@mantine/core';

interface ChoiceProps {
  readonly name: string;
  readonly data: NonNullable<SelectProps['data']>;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A filter with a few values; empty it lets everything pass. */
export const Choice = ({ name, data, value, onChange }: ChoiceProps) => (
  <Select
    size="xs"
    aria-label={name}
    placeholder={`Any ${name.toLowerCase()}`}
    clearable
    data={data}
    value={value ?? null}
    onChange={(chosen) => onChange(chosen ?? undefined)}
  />
);
