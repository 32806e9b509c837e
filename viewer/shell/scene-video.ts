/** Records the scene as a .webm video: the canvas on the background of the page. */
import { saveFile } from '../ui/user-file.ts';

/** Longest video; the recording is in memory and then saves itself. */
const MAX_DURATION_MS = 10 * 60_000;
/** Delay after which the recorder has taken the last frame. */
const LAST_FRAME_MS = 100;
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const BITS_PER_S = 8_000_000;

export interface Video {
  /** Adds the frame just drawn to the canvas. */
  addFrame(): void;
  /** Stops and saves the video. */
  stop(): void;
}

/** Fills a context with the stage's background gradient of the style sheet. */
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

/**
 * Draws the scene in the middle, as large as it fits: it has another shape than the video when the
 * page was laid out again meanwhile.
 */
function drawScene(context: CanvasRenderingContext2D, source: HTMLCanvasElement): void {
  const { width, height } = context.canvas;
  // An odd row is cut off; to shrink the picture by a pixel would blur it.
  const scale = Math.min(width / (source.width & ~1), height / (source.height & ~1));
  const [w, h] = [scale * source.width, scale * source.height];
  context.drawImage(source, Math.trunc((width - w) / 2), Math.trunc((height - h) / 2), w, h);
}

/** Starts a video of `source`; calls `onEnd` after it is saved. */
export function startVideo(source: HTMLCanvasElement, onEnd: () => void): Video {
  const canvas = document.createElement('canvas');
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
    saveFile('arm.webm', new Blob(parts, { type: 'video/webm' }));
    onEnd();
  });
  const limit = setTimeout(stop, MAX_DURATION_MS);
  function stop(): void {
    clearTimeout(limit);
    // An unchanged canvas delivers no frames; drawing it again extends the video to its end.
    context.drawImage(canvas, 0, 0);
    setTimeout(() => recorder.state !== 'inactive' && recorder.stop(), LAST_FRAME_MS);
  }
  recorder.start();
  return {
    addFrame() {
      drawBackground(context, colours);
      drawScene(context, source);
    },
    stop,
  };
}
