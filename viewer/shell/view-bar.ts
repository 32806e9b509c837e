/** Controls over the scene: layer switches, compass, view, picture and video buttons. */

import type { LiveLayers, Stage } from '../scene/stage.ts';
import type { StandardView } from '../scene/viewpoint.ts';
import { button, element, setAttribute } from '../ui/element.ts';
import { type IconName, icon } from '../ui/icon.ts';
import { saveFile } from '../ui/user-file.ts';
import { compass } from './compass.ts';
import { startVideo, type Video } from './scene-video.ts';

const VIEWS: readonly StandardView[] = ['start', 'front', 'right', 'top'];

export interface ViewBar {
  readonly element: HTMLElement;
  /** Updates the compass after a drawn frame, and adds the frame to a running video. */
  onFrame(): void;
  /** Shows a standard view. */
  show(view: StandardView): void;
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
