/** The configuration as Java: read only, to be copied. */
import { Check, Copy } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { Scenario } from "../../scenario/scenario.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import type { Draft } from "./draft.ts";
import { javaOf } from "./java.ts";

export default function Java({
  draft,
  scenario,
}: {
  readonly draft: Draft;
  readonly scenario: Pick<Scenario, "flink" | "job">;
}): ReactElement {
  const words = useConfigurationText();
  const [copied, setCopied] = useState<string | null>(null);
  const { flink: version, job } = scenario;
  const code = javaOf({ version, draft, vertices: job.vertices, words: words.java });
  return (
    <>
      <div className="configuration-java-head">
        <p className="muted">{words.javaHint(version)}</p>
        <button
          type="button"
          className="button small"
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(code))}
        >
          {copied === code ? <Check aria-hidden /> : <Copy aria-hidden />}
          {copied === code ? words.copied : words.copy}
        </button>
      </div>
      <textarea
        className="code-area configuration-java"
        aria-label={words.javaArea}
        readOnly
        spellCheck={false}
        value={code}
      />
    </>
  );
}
