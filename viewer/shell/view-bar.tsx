/** Controls over the scene: layer switches, compass, view, picture and video buttons. */
import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LiveLayers, Stage } from '../scene/stage.ts';
import type { StandardView } from '../scene/viewpoint.ts';
import { Chips } from '../ui/chips.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { drawn } from '../ui/mount.ts';
import { saveFile } from '../ui/user-file.ts';
import { Compass } from './compass.tsx';
import { startVideo, type Video } from './scene-video.ts';

const VIEWS: readonly StandardView[] = ['start', 'front', 'right', 'top'];
const LAYERS: readonly (readonly [keyof LiveLayers, string])[] = [
  ['trail', 'Trail'],
  ['zones', 'Zones'],
  ['labels', 'Labels'],
];

export interface ViewBar {
  readonly element: HTMLElement;
  /** Updates the compass after a drawn frame, and adds the frame to a running video. */
  onFrame(): void;
  /** Shows a standard view. */
  show(view: StandardView): void;
}

function LayerChips({ stage }: { readonly stage: Stage }) {
  const layers = useSignal<LiveLayers>({ trail: true, zones: true, labels: true });
  return (
    <Chips
      class="glass chips"
      label="Layers"
      options={LAYERS}
      isOn={(key) => layers.value[key]}
      press={(key) => {
        layers.value = { ...layers.value, [key]: !layers.value[key] };
        stage.setLayers(layers.value);
      }}
    />
  );
}

/** The switches; the scene knows their height. */
function Layers({ children }: { readonly children: ComponentChildren }) {
  const layers = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = layers;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      const scene = current.closest<HTMLElement>('.scene');
      scene?.style.setProperty('--chips', `${current.offsetHeight}px`);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={layers} class="layers">
      {children}
    </div>
  );
}

/** Whether this browser can record a canvas. */
function canRecord(): boolean {
  const { captureStream } = HTMLCanvasElement.prototype;
  return 'MediaRecorder' in window && typeof captureStream === 'function';
}

/** Starts and stops videos of the scene. */
function createRecorder(stage: Stage) {
  const isRecording = signal(false);
  let video: Video | null = null;
  /** A video starts with the next frame: the sharp one at rest has a size of its own. */
  let isDue = false;
  function end(): void {
    video = null;
    isRecording.value = false;
  }
  return {
    isRecording,
    toggle(): void {
      if (video) {
        video.stop();
        return;
      }
      isDue = true;
      stage.requestRender();
    },
    onFrame(): void {
      if (isDue) {
        isDue = false;
        video = startVideo(stage.canvas, end);
        isRecording.value = true;
      }
      video?.addFrame();
    },
  };
}

interface VideoButtonProps {
  readonly isRecording: ReadonlySignal<boolean>;
  readonly toggle: () => void;
}

function VideoButton({ isRecording, toggle }: VideoButtonProps) {
  if (!canRecord()) return null;
  const label = isRecording.value ? 'Stop and save the video' : 'Record a video';
  return (
    <IconButton
      icon={isRecording.value ? 'stop' : 'video'}
      label={label}
      data-recording={isRecording.value ? '' : undefined}
      onClick={toggle}
    />
  );
}

/** Creates the controls over `stage`, with additional switches. */
export function createViewBar(
  stage: Stage,
  switches: ComponentChildren,
  copyLink: () => void,
): ViewBar {
  let shown = 0;
  const show = (view: StandardView): void => {
    shown = VIEWS.indexOf(view);
    stage.showView(view);
  };
  async function savePicture(): Promise<void> {
    const picture = await stage.screenshot();
    if (picture) saveFile('arm.png', picture);
  }
  const recorder = createRecorder(stage);
  const axes = signal(stage.axes());
  const lookOf = (directions: ReturnType<Stage['axes']>) =>
    directions.flatMap((axis) => axis.map((value) => value.toFixed(2))).join();
  const next = () => show(VIEWS[(shown + 1) % VIEWS.length]!);
  const bar = (
    <div class="view-bar">
      <Layers>
        <LayerChips stage={stage} />
        {switches}
      </Layers>
      <div class="corner">
        <Compass axes={axes} />
        <div class="glass tools">
          <IconButton icon="fit" label="Show the whole arm (F)" onClick={() => show('start')} />
          <IconButton icon="cube" label="Next standard view" onClick={next} />
          <IconButton icon="camera" label="Save a picture" onClick={savePicture} />
          <VideoButton isRecording={recorder.isRecording} toggle={recorder.toggle} />
          <IconButton icon="link" label="Copy a link to this" onClick={copyLink} />
        </div>
      </div>
    </div>
  );
  return {
    element: drawn(bar),
    onFrame() {
      const now = stage.axes();
      if (lookOf(now) !== lookOf(axes.peek())) axes.value = now;
      recorder.onFrame();
    },
    show,
  };
}
