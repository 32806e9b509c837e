/**
 * A video of the scene: what the canvas shows, on the background the page gives it, as a .webm to
 * download. Apart from the bar with its button because it comes only when first asked for.
 */
import { element } from './element.ts';

/** A longer recording ends and saves itself (ms): it is kept in memory until then. */
const LONGEST_MS = 10 * 60_000;
/** The last frame has been taken by then. */
const LAST_FRAME_MS = 100;
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const BITS_PER_S = 8_000_000;

export interface Video {
  /** Takes the frame that the canvas has just been drawn with. */
  frame(): void;
  /** Ends and saves it. */
  stop(): void;
}

/** The stage's background on a context as large as its canvas: the gradient of the style sheet. */
function drawBackground(context: CanvasRenderingContext2D, colours: readonly string[]): void {
  const { width, height } = context.canvas;
  context.setTransform(0.75 * width, 0, 0, 0.8 * height, width / 2, 0.38 * height);
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
  gradient.addColorStop(0, colours[0]!);
  gradient.addColorStop(1, colours[1]!);
  context.fillStyle = gradient;
  context.fillRect(-2, -2, 4, 4);
  context.resetTransform();
}

function save(parts: readonly Blob[], name: string): void {
  const href = URL.createObjectURL(new Blob([...parts], { type: 'video/webm' }));
  element('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** Begins a video of `source`; `ended` is called once it is saved. */
export function startVideo(source: HTMLCanvasElement, ended: () => void): Video {
  const canvas = element('canvas');
  // Codecs halve the resolution of colours: odd sizes lose a row.
  canvas.width = source.width & ~1;
  canvas.height = source.height & ~1;
  const context = canvas.getContext('2d')!;
  const style = getComputedStyle(source);
  const colours = ['--stage-centre', '--stage-edge'].map((token) => style.getPropertyValue(token));
  const stream = canvas.captureStream();
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))!;
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: BITS_PER_S });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  recorder.addEventListener('stop', () => {
    for (const track of stream.getTracks()) track.stop();
    save(parts, 'arm.webm');
    ended();
  });
  const limit = setTimeout(stop, LONGEST_MS);
  function stop(): void {
    clearTimeout(limit);
    // A still canvas gives no frames: drawn anew, it lasts to the end.
    context.drawImage(canvas, 0, 0);
    setTimeout(() => recorder.state !== 'inactive' && recorder.stop(), LAST_FRAME_MS);
  }
  recorder.start();
  return {
    frame() {
      drawBackground(context, colours);
      context.drawImage(source, 0, 0, canvas.width, canvas.height);
    },
    stop,
  };
}
