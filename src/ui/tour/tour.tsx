/** What is said and asked in the first minute, on the stage; the run does the rest. */
import "../styles/tour.css";
import { type ReactElement, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { at } from "../../base/assert.ts";
import { changeSettings, showDialog, showSweep } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { reducedMotion } from "../player.ts";
import { elementBox } from "../stage-anchor.ts";
import { graphOf } from "../store.ts";
import { useTourText } from "../text/tour-text.ts";
import { useApp } from "../use-app.ts";
import { STEPS, Tour, tourStore } from "./script.ts";

export default function FirstMinute(): ReactElement | null {
  const controller = useController();
  const tour = useStore(tourStore, (state) => state.tour);
  useEffect(() => {
    const made = new Tour(controller);
    tourStore.setState({ tour: made });
    void made.run();
    return () => {
      made.abandon();
      tourStore.setState({ tour: null });
    };
  }, [controller]);
  useEffect(() => (tour === null ? undefined : endByOthers(tour)), [tour]);
  return tour === null ? null : (
    <>
      <Caption tour={tour} />
      <Victim tour={tour} />
    </>
  );
}

/** Whoever takes the playback or the panels into their own hands has the page. From then on it is no first visit any more. */
function endByOthers(tour: Tour): () => void {
  const taken = ({ target }: PointerEvent): void => {
    if (!(target instanceof Element)) return;
    if (isOfDrag(target)) tour.hold();
    else if (target.closest(".dock, .transport") !== null) tour.end();
  };
  const end = (event: KeyboardEvent): void => {
    if (event.target instanceof Element && isOfDrag(event.target)) tour.hold();
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    tour.end();
  };
  addEventListener("keydown", end, { capture: true });
  addEventListener("pointerdown", taken, { capture: true });
  return () => {
    removeEventListener("pointerdown", taken, { capture: true });
    removeEventListener("keydown", end, { capture: true });
    changeSettings({ visited: true });
  };
}

/** The crash is there to be dragged. */
function isOfDrag(target: Element): boolean {
  return tourStore.getState().scene !== "doors" && target.closest(".crash-row, .crash-bar") !== null;
}

function Caption({ tour }: { readonly tour: Tour }): ReactElement {
  const text = useTourText();
  const { scene, number, lines } = useStore(tourStore);
  useEffect(() => {
    document.querySelector("#why")?.toggleAttribute("data-asked", scene === "why");
  }, [scene]);
  return (
    <section className="tour" aria-label={text.label}>
      <output className="tour-lines">
        <span className="visually-hidden">{text.step(number, STEPS)} </span>
        {lines.map((line, index) => (
          <span key={line} className={index === 0 ? "tour-line" : "tour-more"}>
            {line}{" "}
          </span>
        ))}
      </output>
      <div className="tour-actions">
        <Answers tour={tour} />
        {scene === "doors" ? null : (
          <button type="button" className="button small quiet" onClick={() => tour.end()}>
            {text.skip}
          </button>
        )}
      </div>
    </section>
  );
}

const guesses = ["none", "few", "all"] as const;

function Answers({ tour }: { readonly tour: Tour }): ReactElement | null {
  const text = useTourText();
  const { scene } = useStore(tourStore);
  switch (scene) {
    case "question":
      return (
        <>
          {guesses.map((guess, index) => (
            <FirstButton key={guess} first={index === 0} act={() => tour.choose(guess)}>
              {text.guesses[guess]}
            </FirstButton>
          ))}
        </>
      );
    case "settled":
      return (
        <FirstButton first act={() => tour.choose("next")}>
          {text.drag}
        </FirstButton>
      );
    case "drag":
      return (
        <FirstButton first act={() => tour.choose("plain")}>
          {text.withoutTransactions}
        </FirstButton>
      );
    case "why":
      return (
        <FirstButton first act={() => tour.choose("why")}>
          {text.why}
        </FirstButton>
      );
    case "doors":
      return <Doors tour={tour} />;
    case "kill":
      return null;
    default:
      return reducedMotion() ? (
        <FirstButton first act={() => tour.choose("next")}>
          {text.next}
        </FirstButton>
      ) : null;
  }
}

function Doors({ tour }: { readonly tour: Tour }): ReactElement {
  const { doors } = useTourText();
  const through = (open: () => void) => (): void => {
    tour.end();
    open();
  };
  return (
    <>
      <FirstButton first act={through(() => undefined)}>
        {doors.lab}
      </FirstButton>
      <FirstButton act={through(() => showDialog("compare"))}>{doors.compare}</FirstButton>
      <FirstButton act={through(showSweep)}>{doors.sweep}</FirstButton>
    </>
  );
}

interface FirstButtonProps {
  /** The keyboard is there as soon as it is. */
  readonly first?: boolean;
  readonly act: () => void;
  readonly children: string;
}

function FirstButton({ first = false, act, children }: FirstButtonProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (first) button.current?.focus({ preventScroll: true });
  }, [first]);
  return (
    <button ref={button} type="button" className={first ? "button small primary" : "button small"} onClick={act}>
      {children}
    </button>
  );
}

/** Around the task that is to be killed, and over it: what is clicked is the button. */
function Victim({ tour }: { readonly tour: Tour }): ReactElement | null {
  const victim = useStore(tourStore, (state) => state.victim);
  return victim === null ? null : <Target tour={tour} victim={victim} />;
}

function Target({ tour, victim }: { readonly tour: Tour; readonly victim: number }): ReactElement {
  const text = useTourText();
  const name = useApp((app) => at(graphOf(app)?.subtasks ?? [], victim).name);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => (button.current === null ? undefined : follow(button.current, victim)), [victim]);
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    button.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className="tour-victim"
      aria-label={text.killLabel(name)}
      onClick={() => tour.choose("kill")}
    >
      <span className="tour-kill">{text.kill}</span>
    </button>
  );
}

/** The stage pans, zooms and is laid out anew without telling. */
function follow(button: HTMLElement, id: number): () => void {
  const place = (): void => {
    const box = elementBox({ kind: "subtask", id });
    if (box !== null) {
      button.style.translate = `${box.left - AROUND}px ${box.top - AROUND}px`;
      button.style.width = `${box.width + AROUND * 2}px`;
      button.style.height = `${box.height + AROUND * 2}px`;
    }
    request = requestAnimationFrame(place);
  };
  let request = requestAnimationFrame(place);
  return () => cancelAnimationFrame(request);
}

/** Pixels that it is larger than the task on each side. */
const AROUND = 4;
