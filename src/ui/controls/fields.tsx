import type { ReactElement, ReactNode } from "react";

/** Names and values of one thing. */
export function Fields({ children }: { readonly children: ReactNode }): ReactElement {
  return <dl className="fields">{children}</dl>;
}

export function Field({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
