import { type ReactElement, useEffect, useState } from "react";
import { fetched } from "../fetched.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { type Checked, type Draft, differences } from "./draft.ts";
import { Elsewhere } from "./elsewhere.tsx";
import type * as Library from "./yaml.ts";

type Parser = Pick<typeof Library, "readYaml" | "writeYaml">;

interface YamlProps {
  readonly draft: Draft;
  readonly state: Checked;
  readonly change: (draft: Draft) => void;
}

/** The same as text; the library that reads it is fetched with it. */
export function Yaml(props: YamlProps): ReactElement | null {
  const [parser, setParser] = useState<Parser | null>(null);
  useEffect(() => {
    let gone = false;
    void fetched(import("./yaml.ts")).then((module) => (gone ? undefined : setParser(() => module)));
    return () => {
      gone = true;
    };
  }, []);
  return parser === null ? null : <Area parser={parser} {...props} />;
}

function Area({ parser, draft, state, change }: YamlProps & { readonly parser: Parser }): ReactElement {
  const words = useConfigurationText();
  const [shown, setShown] = useState(() => ({ text: parser.writeYaml(draft), draft }));
  const read = parser.readYaml(shown.text);
  // An undo below changes what the text says.
  if (differences(shown.draft, draft).length > 0) setShown({ text: parser.writeYaml(draft), draft });
  const write = (text: string): void => {
    const now = parser.readYaml(text);
    setShown({ text, draft: now.ok ? now.draft : draft });
    if (now.ok) change(now.draft);
  };
  return (
    <>
      <p className="muted">{words.yamlHint}</p>
      <textarea
        className="code-area configuration-yaml"
        aria-label={words.yamlArea}
        aria-invalid={!read.ok}
        aria-describedby="configuration-yaml-said"
        spellCheck={false}
        value={shown.text}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <div id="configuration-yaml-said" aria-live="polite">
        {read.ok ? null : (
          <div className="configuration-said problem">
            <strong>{words.yamlWrong(read.mistakes.length)}</strong>
            {read.mistakes.map(({ line, message }) => (
              <p key={`${line} ${message}`}>
                {words.line(line)}: {message}
              </p>
            ))}
          </div>
        )}
        {[...state.said]
          .filter(([key]) => !/^(?:job|broker|topics|faults)\b/.test(key))
          .flatMap(([key, all]) =>
            all.map(({ kind, message }) => (
              <p key={`${key} ${message}`} className={`configuration-said ${kind}`}>
                <span className="mono">{key}</span> {message}
              </p>
            )),
          )}
        <Elsewhere state={state} />
      </div>
    </>
  );
}
