/** The engine has stopped: what it takes to see that again, and the way on. */
import { Check, Copy } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { clockTime } from "../format.ts";
import { branchOf, type Failure, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";

export default function FailureDialog(): ReactElement | null {
  const { crash } = useText();
  const controller = useController();
  const failure = useApp((app) => app.failure);
  const usable = useApp((app) => app.session !== null);
  const time = useApp((app) => {
    const branch = branchOf(app);
    return branch === null || branch.length === 0 ? clockTime(0) : clockTime(branch.run.log.clock(branch.length - 1));
  });
  if (failure === null) return null;
  const close = (): void => appStore.setState({ dialog: null, failure: null });
  const report = reportText(failure);
  const foot = (
    <>
      <CopyButton text={report} />
      <button type="button" className="button" onClick={close}>
        {crash.close}
      </button>
      {usable ? (
        <button type="button" className="button primary" onClick={() => controller.restartEngine()}>
          {crash.restart}
        </button>
      ) : null}
    </>
  );
  return (
    <Modal title={crash.title} description={crash.body(time)} onClose={close} foot={foot}>
      <p className="failure-message">{failure.message === "" ? crash.silent : failure.message}</p>
      <label className="field-label" htmlFor="failure-report">
        {crash.report}
      </label>
      <textarea
        id="failure-report"
        className="code-area"
        readOnly
        rows={14}
        value={report}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Modal>
  );
}

function CopyButton({ text }: { readonly text: string }): ReactElement {
  const { crash } = useText();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without the permission the text can still be selected and copied by hand.
      document.querySelector<HTMLTextAreaElement>("#failure-report")?.select();
    }
  };
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      {copied ? crash.copied : crash.copy}
    </button>
  );
}

function reportText({ message, reproduction }: Failure): string {
  const { scenario, decisions, step } = reproduction;
  return JSON.stringify({ message, step, decisions, scenario }, null, 2);
}
