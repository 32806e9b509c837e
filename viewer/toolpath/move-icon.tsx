import { LineDrawing } from '../ui/drawn-icon.tsx';

/** The strokes of the move types. */
const PATHS: Readonly<Record<string, string>> = {
  joint: 'M2.5 12.5c5 0 3-7 11-8.5',
  linear: 'M3 12.5 13 3.5',
  spline: 'M2.5 12.5c1-11 10-11 11 0',
  pass: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
};

/** Whether a row of the program is a move. */
export function isMove(kind: string): boolean {
  return kind in PATHS;
}

/** The icon of a move type; colour is never the only distinction. */
export function MoveIcon({ kind }: { readonly kind: string }) {
  return <LineDrawing name={`move-${kind}`} path={PATHS[kind]!} />;
}
