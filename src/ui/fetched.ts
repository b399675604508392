/** Code that is fetched when it is first needed. */
import { appStore } from "./store.ts";
import { currentText } from "./text/use-text.ts";

/** `null`: it could not be fetched, which is told, so that what needed it need only not do it. */
export async function fetched<P>(part: Promise<P>): Promise<P | null> {
  try {
    return await part;
  } catch {
    tellNotFetched();
    return null;
  }
}

export function tellNotFetched(): void {
  appStore.setState({ notice: { ...currentText().notFetched, go: null, lacks: true } });
}
