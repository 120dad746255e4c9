/** A titled part of a page. */
export function Panel(props: {
  readonly title: string;
  readonly id?: string;
  readonly aside?: React.ReactNode;
  readonly children: React.ReactNode;
}) {
  const { title, id = title.toLowerCase().replaceAll(' ', '-'), aside, children } = props;
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      <header className="panel-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside !== undefined && <div className="panel-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** Names and values, one pair per line. Pairs without a value are left out. */
export function Facts({ of }: { readonly of: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <dl className="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
