/** Parts of the page that are fetched when they are first shown. */
import {
  type ComponentType,
  type FunctionComponent,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useReducer,
} from "react";
import { tellNotFetched } from "./fetched.ts";

interface Options<P> {
  /** What stands in its place until it is there; nothing, where it says nothing. */
  readonly meanwhile?: ComponentType<P>;
  /** It could not be fetched, which is told: what has asked for it need not wait. */
  readonly failed?: (props: P) => void;
}

export type Later<P> = FunctionComponent<P> & {
  /** Fetches it before it is shown; that it could not be fetched is told where it is. */
  readonly ahead: () => void;
};

/**
 * Not React's `lazy`: what has to be waited for appears no sooner than 0.3 s after what stands in its place there, so that
 * whatever was opened for the first time came a third of a second late; and where a part cannot be fetched, all of the page
 * goes with it.
 */
export function later<P extends object = object>(
  fetch: () => Promise<{ readonly default: ComponentType<P> }>,
  { meanwhile: Meanwhile, failed }: Options<P> = {},
): Later<P> {
  let arrived: ComponentType<P> | null = null;
  let coming: Promise<void> | null = null;
  const get = (): Promise<void> => {
    coming ??= fetch().then(
      ({ default: part }) => {
        arrived = part;
      },
      (error: unknown) => {
        coming = null;
        throw error;
      },
    );
    return coming;
  };
  function Part(props: P): ReactElement | null {
    const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
    const Shown = arrived ?? Meanwhile;
    const waits = arrived === null;
    const told = useEffectEvent(() => {
      tellNotFetched();
      failed?.(props);
    });
    useEffect(() => {
      if (waits) void get().then(draw, told);
    }, [waits]);
    return Shown === undefined ? null : <Shown {...props} />;
  }
  return Object.assign(Part, { ahead: () => void get().catch(() => undefined) });
}
