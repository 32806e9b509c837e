/**
 * Controls over the scene: layer switches, compass, view, picture and video buttons. Also records
 * the scene as a .webm video: the canvas on the page's background.
 */
import type { LiveLayers, Stage } from '../scene/renderer.ts';
import type { StandardView } from '../scene/viewpoint.ts';
import { button, element, type IconName, icon, setAttribute } from './element.ts';
import { saveFile } from './form.ts';

/** Longest video; the recording is in memory and then saves itself. */
const MAX_DURATION_MS = 10 * 60_000;
/** Delay after which the recorder has taken the last frame. */
const LAST_FRAME_MS = 100;
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const BITS_PER_S = 8_000_000;

interface Video {
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
function startVideo(source: HTMLCanvasElement, onEnd: () => void): Video {
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

const SVG = 'http://www.w3.org/2000/svg';
const AXES = ['x', 'y', 'z'] as const;
const ARM_PX = 23;
const HALF_PX = 34;
const VIEWS: readonly StandardView[] = ['start', 'front', 'right', 'top'];

export interface ViewBar {
  readonly element: HTMLElement;
  /** Updates the compass after a drawn frame, and adds the frame to a running video. */
  onFrame(): void;
  /** Shows a standard view. */
  show(view: StandardView): void;
}

interface CompassAxis {
  readonly group: SVGGElement;
  readonly line: SVGLineElement;
  readonly ball: SVGCircleElement;
  readonly letter: SVGTextElement;
}

function compassAxis(name: string): CompassAxis {
  const group = document.createElementNS(SVG, 'g');
  group.setAttribute('class', `axis axis-${name}`);
  const line = document.createElementNS(SVG, 'line');
  const ball = document.createElementNS(SVG, 'circle');
  ball.setAttribute('r', '7.8');
  const letter = document.createElementNS(SVG, 'text');
  letter.textContent = name.toUpperCase();
  group.append(line, ball, letter);
  return { group, line, ball, letter };
}

function compass(stage: Stage) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'compass');
  svg.setAttribute('viewBox', `${-HALF_PX} ${-HALF_PX} ${2 * HALF_PX} ${2 * HALF_PX}`);
  svg.setAttribute('aria-hidden', 'true');
  const axes = AXES.map(compassAxis);
  svg.append(...axes.map(({ group }) => group));
  let drawn = '';
  return {
    element: svg,
    turn(): void {
      const directions = stage.axes();
      const look = directions.map((axis) => axis.map((value) => value.toFixed(2)).join()).join();
      if (look === drawn) return;
      drawn = look;
      const order = [0, 1, 2].sort((a, b) => directions[a]![2] - directions[b]![2]);
      for (const i of order) {
        const [x, y] = directions[i]!;
        const { group, line, ball, letter } = axes[i]!;
        const px = (x * ARM_PX).toFixed(1);
        const py = (-y * ARM_PX).toFixed(1);
        line.setAttribute('x2', px);
        line.setAttribute('y2', py);
        ball.setAttribute('cx', px);
        ball.setAttribute('cy', py);
        letter.setAttribute('x', px);
        letter.setAttribute('y', py);
        svg.append(group);
      }
    },
  };
}

function layerChips(stage: Stage): HTMLElement {
  let layers: LiveLayers = { trail: true, zones: true, labels: true };
  const chip = (key: keyof LiveLayers, label: string): HTMLButtonElement => {
    const made = button({ class: 'chip', 'aria-pressed': 'true' }, toggle, label);
    function toggle(): void {
      layers = { ...layers, [key]: !layers[key] };
      setAttribute(made, 'aria-pressed', String(layers[key]));
      stage.setLayers(layers);
    }
    return made;
  };
  const chips = [chip('trail', 'Trail'), chip('zones', 'Zones'), chip('labels', 'Labels')];
  return element('div', { class: 'glass chips', role: 'group', 'aria-label': 'Layers' }, ...chips);
}

function savePicture(picture: Blob | null): void {
  if (picture) saveFile('arm.png', picture);
}

/** Whether this browser can record a canvas. */
function canRecord(): boolean {
  const { captureStream } = HTMLCanvasElement.prototype;
  return 'MediaRecorder' in window && typeof captureStream === 'function';
}

/** The button that starts and stops a video. */
function videoButton(stage: Stage) {
  let video: Video | null = null;
  /** Starts with the next frame: the sharp one at rest has a size of its own. */
  let start: (() => Video) | null = null;
  const [startLabel, stopLabel] = ['Record a video', 'Stop and save the video'];
  const made = button({ class: 'tool', hidden: !canRecord() }, toggle);
  function show(): void {
    made.replaceChildren(icon(video ? 'stop' : 'video'));
    for (const name of ['aria-label', 'title'])
      setAttribute(made, name, video ? stopLabel : startLabel);
    setAttribute(made, 'data-recording', video !== null);
  }
  function toggle(): void {
    if (video) {
      video.stop();
      return;
    }
    start = () =>
      startVideo(stage.canvas, () => {
        video = null;
        show();
      });
    stage.requestRender();
  }
  function drawn(): void {
    if (start) {
      video = start();
      start = null;
      show();
    }
    video?.addFrame();
  }
  show();
  return { element: made, drawn };
}

/** Creates the controls over `stage`, with additional switches. */
export function createViewBar(stage: Stage, switches: HTMLElement, copyLink: () => void): ViewBar {
  let shown = 0;
  const show = (view: StandardView): void => {
    shown = VIEWS.indexOf(view);
    stage.showView(view);
  };
  const tool = (name: IconName, label: string, onClick: () => void) =>
    button({ class: 'tool', 'aria-label': label, title: label }, onClick, icon(name));
  const video = videoButton(stage);
  const tools = element(
    'div',
    { class: 'glass tools' },
    tool('fit', 'Show the whole arm (F)', () => show('start')),
    tool('cube', 'Next standard view', () => show(VIEWS[(shown + 1) % VIEWS.length]!)),
    tool('camera', 'Save a picture', () => void stage.screenshot().then(savePicture)),
    video.element,
    tool('link', 'Copy a link to this', copyLink),
  );
  const axes = compass(stage);
  const corner = element('div', { class: 'corner' }, axes.element, tools);
  const layers = element('div', { class: 'layers' }, layerChips(stage), switches);
  new ResizeObserver(() => {
    const scene = layers.closest<HTMLElement>('.scene');
    scene?.style.setProperty('--chips', `${layers.offsetHeight}px`);
  }).observe(layers);
  return {
    element: element('div', { class: 'view-bar' }, layers, corner),
    onFrame() {
      axes.turn();
      video.drawn();
    },
    show,
  };
}
