import { type ReactElement, useEffect, useRef } from "react";
import type { Token } from "../../view/stage/frame-types.ts";
import { rare } from "../../view/stage/marks/rare.ts";
import { drawToken, setLabels } from "../../view/stage/marks/tokens.ts";
import { coloursNow, onColours } from "../theme.ts";

const WIDTH = 52;
const HEIGHT = 34;
/** Flags stand on the line that they move along. */
const FLAG_FOOT = 24;

const flags: ReadonlySet<Token["kind"]> = new Set(["barrier", "cancelMarker"] as const);

/** Something that moves, as the stage's canvas has it. */
export function TokenPicture({ token }: { readonly token: Token }): ReactElement {
  const element = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = (): void => {
      const canvas = element.current?.getContext("2d");
      if (canvas === null || canvas === undefined) return;
      canvas.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      canvas.clearRect(0, 0, WIDTH, HEIGHT);
      setLabels(canvas);
      drawToken(
        canvas,
        token,
        {
          x: WIDTH / 2,
          y: flags.has(token.kind) ? FLAG_FOOT : HEIGHT / 2,
          angle: 0,
          fallen: token.falls === null ? 0 : 1,
        },
        coloursNow(),
        rare,
      );
    };
    draw();
    return onColours(draw);
  }, [token]);
  const style = { width: WIDTH, height: HEIGHT };
  return (
    <canvas
      ref={element}
      width={WIDTH * devicePixelRatio}
      height={HEIGHT * devicePixelRatio}
      style={style}
      aria-hidden
    />
  );
}
