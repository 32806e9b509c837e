/** The hatch over times of which nothing is known. */

/** Distance of its lines (px). */
const HATCH_PX = 7;

/** A rectangle of a canvas (px). */
export interface HatchedBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Hatches a box in the colour of strokes. */
export function hatch(
  context: CanvasRenderingContext2D,
  { left, right, top, bottom }: HatchedBox,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  context.lineWidth = 1;
  context.beginPath();
  for (let x = left - (bottom - top); x < right; x += HATCH_PX) {
    context.moveTo(x, bottom);
    context.lineTo(x + bottom - top, top);
  }
  context.stroke();
  context.restore();
}
