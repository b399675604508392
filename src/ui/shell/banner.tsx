/** What must not be overlooked about the run that is open. */
import { TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { later } from "../later.tsx";
import { useController } from "../controller-context.ts";
import { branchOf, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";

const OtherFile = later(() => import("../sessions/other-file.tsx"));

export function Banners(): ReactElement {
  return (
    <>
      <BrokenRules />
      <ViolationBanner />
      <RefusedBanner />
      <NoticeBanner />
    </>
  );
}

function BrokenRules(): ReactElement | null {
  const { banner } = useText();
  const broken = useApp((app) => app.session?.scenario.broken);
  if (broken === undefined || broken.length === 0) return null;
  return (
    <div className="banner lab" role="note">
      <span className="tag">lab</span>
      <p>
        <strong>{banner.broken(broken.map((rule) => banner.rules[rule]))}</strong> {banner.brokenNote}
      </p>
    </div>
  );
}

function ViolationBanner(): ReactElement | null {
  const { banner } = useText();
  const controller = useController();
  const violation = useApp((app) => branchOf(app)?.violation ?? null);
  if (violation === null) return null;
  return (
    <div className="banner danger" role="alert">
      <TriangleAlert aria-hidden />
      <p>
        <strong>{banner.violation(violation.invariant, violation.step)}</strong> {violation.message}
      </p>
      <button type="button" className="button small" onClick={() => controller.goTo(violation.step - 1)}>
        {banner.goBefore}
      </button>
    </div>
  );
}

/** Problems that are told at once. */
const TOLD = 3;

/** A file that is no scenario. The editor shows the same where it is open. */
function RefusedBanner(): ReactElement | null {
  const { openFailed, common } = useText();
  const refused = useApp((app) => app.refused);
  const dialog = useApp((app) => app.dialog);
  if (refused === null || dialog === "edit") return null;
  return (
    <div className="banner danger" role="alert">
      <TriangleAlert aria-hidden />
      <p>
        <strong>{openFailed.title(refused.name)}</strong>{" "}
        {refused.problems.slice(0, TOLD).map(({ path, message }) => (
          <span key={`${path} ${message}`}>
            {path === "" ? null : <code>{path}</code>} {message}{" "}
          </span>
        ))}
        {refused.problems.length > TOLD ? openFailed.more(refused.problems.length - TOLD) : null}
      </p>
      {refused.text === "" ? (
        <OtherFile />
      ) : (
        <button
          type="button"
          className="button small"
          onClick={() => appStore.setState({ dialog: "edit", draft: refused.text })}
        >
          {openFailed.editIt}
        </button>
      )}
      <button type="button" className="button small" onClick={() => appStore.setState({ refused: null })}>
        {common.close}
      </button>
    </div>
  );
}

/** What has to be known about a run that was opened from a link, a file, or that came back. */
function NoticeBanner(): ReactElement | null {
  const { common } = useText();
  const controller = useController();
  const notice = useApp((app) => app.notice);
  if (notice === null) return null;
  const { go } = notice;
  return (
    <output className="banner">
      <p>
        <strong>{notice.title}</strong>{" "}
        {notice.lines.map((line) => (
          <span key={line}>{line} </span>
        ))}
      </p>
      {go === null ? null : (
        <button type="button" className="button small" onClick={() => controller.goTo(go.step)}>
          {go.words}
        </button>
      )}
      <button type="button" className="button small" onClick={() => appStore.setState({ notice: null })}>
        {common.close}
      </button>
    </output>
  );
}
