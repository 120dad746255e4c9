/** A unified diff; colours only repeat what the first character of a line says. */
export const Diff = ({ text }: { readonly text: string }) => (
  <pre className="diff" tabIndex={0} aria-label="Diff">
    {text.split('\n').map((line, index) => (
      <div key={index} data-mark={line.startsWith('+') || line.startsWith('-') ? line[0] : undefined}>
        {line === '' ? ' ' : line}
      </div>
    ))}
  </pre>
);
