/** The title of a page, with how many there are. */
export const PageHead = ({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count?: number | undefined;
  readonly children?: React.ReactNode;
}) => (
  <div className="page-head">
    <h1>
      <bdi>{title}</bdi>
    </h1>
    <span className="dim figures" role="status">
      {count}
    </span>
    {children}
  </div>
);
