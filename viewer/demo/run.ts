/**
 * The first page of the demo: a recorded run with its cell, events and report, in the page that
 * `armtwin rehearse --html` writes. The build embeds the recording.
 */
import '../export/main.tsx';
import { addDemoBar } from './demo-bar.tsx';

addDemoBar();
