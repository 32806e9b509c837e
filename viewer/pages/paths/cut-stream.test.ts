/**
 * Pages whose stream is cut for a while at random moments of a run: what they show of it afterwards is
 * what the twin keeps. In front of an arm that is no twin the cut is marked, and nothing is put into it.
 * @module-tag ci
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import { success } from '../../../contract/result.ts';
import type {
  ReplayRunReply,
  RobotRun,
  Snapshot,
  Toolpath,
  ToolpathHead,
} from '../../../contract/types.generated.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import { openTwinFixture, type TwinFixture } from '../../../testing/index.ts';
import { ArmStore } from '../../link/arm-store.ts';
import type { KeptRun } from '../../link/kept-run.ts';
import { mergeChanges, POSITION } from '../../link/merge-changes.ts';
import type { BuildRequest } from '../../toolpath/build-messages.ts';
import { createBuildReplies } from '../../toolpath/build-replies.ts';
import { deviationOf } from '../../toolpath/deviation.ts';
import { decodeRecording, decodeSamples } from '../../toolpath/runs/recording.ts';
import { keepRuns } from '../../toolpath/runs/run-log.ts';
import { TwinRecord } from '../../toolpath/runs/twin-record.ts';
import type { TwinRunsParts } from '../../toolpath/runs/twin-runs.ts';
import { createTrajectoryPoint, sampleTimedPath } from '../../toolpath/timed-path.ts';
import { reportOf } from './run-report.ts';

const CUTS = 40;
const TIMEOUT_MS = 120_000;
const [SHORTEST_S, LONGEST_S] = [0.1, 5];
const REPORT_S = 0.02;
/** A page reads the snapshot where the stream is silent for so long (s). */
const POLL_S = 0.2;
/** A drawn pose is a report late at most (rad). */
const CLOSE_RAD = 0.05;
const NAME = 'there and back';
const url = new URL('../../../fixtures/toolpaths/there-and-back.json', import.meta.url);
const toolpath = JSON.parse(readFileSync(url, 'utf8')) as Toolpath;

/** Builds on this thread. */
class InlineWorker {
  private readonly reply = createBuildReplies();
  private listener: (event: { readonly data: unknown }) => void = () => {};
  addEventListener(_type: string, listener: typeof this.listener): void {
    this.listener = listener;
  }
  postMessage(request: BuildRequest): void {
    const data = this.reply(request);
    queueMicrotask(() => this.listener({ data }));
  }
  terminate(): void {}
}

/** When a page hears nothing (s of the twin). */
interface Cut {
  readonly from_s: number;
  readonly to_s: number;
}

/** A page that hears of the arm, but for a cut. */
class HearingPage {
  readonly store = new ArmStore();
  readonly cut: Cut;
  readonly parts: TwinRunsParts;
  /** When it heard that the run had begun. */
  began_s = 0;
  private heard_s = 0;

  constructor(cut: Cut, driver: string | null) {
    const calls: TwinRunsParts['calls'] = {
      call: async (action) => success(await action(client)),
      identity: () => ({ driver, clock: null, isInMemory: true, user_id: null }),
    };
    this.cut = cut;
    this.parts = { arm: this.store, calls };
    this.store.set({ link: 'live' });
  }

  private get isCut(): boolean {
    return now_s > this.cut.from_s && now_s < this.cut.to_s;
  }

  /** Hears what the arm has sent, or reads it where it has sent nothing for a while. */
  hear(snapshot: Snapshot, isSent: boolean): void {
    const isSilent = now_s - this.heard_s > POLL_S;
    if (this.isCut) {
      if (isSilent) this.store.set({ link: 'stale' });
      return;
    }
    // What was sent in the cut is lost; the next reply has it.
    if (!isSent && !isSilent) return;
    this.heard_s = now_s;
    if (snapshot.control.state === 'running') this.began_s ||= now_s;
    const read = { ...snapshot, [POSITION]: [...snapshot[POSITION]] } as Snapshot;
    this.store.set({ link: 'live', snapshot: read });
  }

  /** The run that the page keeps. */
  async run(): Promise<KeptRun> {
    await expect.poll(() => this.store.view().runs?.length).toBe(1);
    return this.store.view().runs![0]!;
  }
}

let now_s = 0;
let fixture: TwinFixture;
let twinRun: RobotRun;
let reply: ReplayRunReply;
/** A replay is the same each time, and takes a moment. */
let client: ArmClient;
/** Pages of plain users of the twin, and of an arm that is no twin, with the same cuts. */
let ofTwin: HearingPage[];
let ofForeign: HearingPage[];
/** Where the arm was (s of the twin, rad). */
const truth: { readonly at_s: number; readonly joints: readonly number[] }[] = [];
const drawn = createTrajectoryPoint();

beforeAll(async () => {
  vi.stubGlobal('Worker', InlineWorker);
  vi.spyOn(performance, 'now').mockImplementation(() => 1000 * now_s);
  fixture = await openTwinFixture();
  const { arm, twin } = fixture;
  client = Object.create(arm, { replayRobotRun: { value: async () => reply } });
  await arm.takeLock();
  await arm.useUnsavedToolpath({ name: NAME, toolpath });
  const random = createPrng(61);
  const start_s = twin.now_s();
  now_s = start_s;
  const cuts = Array.from({ length: CUTS }, (): Cut => {
    const from_s = start_s + 0.3 + random() * 8;
    return { from_s, to_s: from_s + SHORTEST_S + random() * (LONGEST_S - SHORTEST_S) };
  });
  ofTwin = cuts.map((cut) => new HearingPage(cut, 'fast'));
  ofForeign = cuts.map((cut) => new HearingPage(cut, null));
  const pages = [...ofTwin, ...ofForeign];
  const { toolpath_hash: hash } = twin.snapshot().control;
  const head = { id: 1, name: NAME, hash } as ToolpathHead;
  for (const { store } of pages) store.set({ snapshot: twin.snapshot(), toolpaths: [head] });
  await Promise.all(pages.map(({ store, parts }) => keepRuns(store, parts.calls)));
  const events = await fixture.listen();
  let known = 0;
  let snapshot = twin.snapshot();
  await arm.run({ mode: 'automatic', loop: 2 });
  do {
    await twin.advance(REPORT_S);
    now_s = twin.now_s();
    const before = snapshot;
    for (const event of events.slice(known)) {
      if (event.type === 'state_change') snapshot = mergeChanges(snapshot, event.changes);
    }
    known = events.length;
    truth.push({ at_s: now_s, joints: snapshot[POSITION] });
    for (const page of pages) page.hear(snapshot, snapshot !== before);
  } while (snapshot.control.state !== 'ready' || cuts.some(({ to_s }) => to_s + 1 > now_s));
  twinRun = (await arm.listRobotRuns()).runs[0]!;
  reply = await arm.replayRobotRun({ robot_run_id: twinRun.id }, {});
}, TIMEOUT_MS);

afterAll(async () => {
  await fixture.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe(`of a run that ${CUTS} pages have heard with a cut each`, () => {
  it(
    'record, plots, deviation and report are the twin’s',
    async () => {
      const recording = JSON.parse(reply.recording) as KeptRun['recording'];
      const { motion } = recording;
      const built = createBuildReplies()({ kind: 'open', text: JSON.stringify(toolpath) });
      if (built?.kind !== 'opened') throw new Error('not built');
      const deviation = await deviationOf(built, decodeSamples(motion));
      const { samples } = decodeRecording(recording).path;
      for (const page of ofTwin) {
        const record = new TwinRecord(page.parts);
        await record.refresh();
        expect(record.listed.value).toEqual([twinRun]);
        expect(twinRun.outcome).toBe('finished');
        const exact = (await record.open(twinRun))!;
        expect(exact.recording.motion).toEqual(motion);
        expect(exact.recording.cell).toEqual(recording.cell);
        expect(decodeRecording(exact.recording).path.samples).toEqual(samples);
        expect(exact.deviation_m).toBe(deviation.most!.tool_m);
        expect(exact).toMatchObject({ duration_s: reply.duration_s, signals: reply.signals });
        const { report } = reportOf(exact);
        expect(report!.verdict).toBe('The run finished.');
        expect(report!.facts).toContainEqual(['Motion', 'as the twin computed it']);
        // What the page has heard is no second record.
        expect(page.store.view().runs).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  it('marks the cut of an arm that is no twin, and invents nothing in it', async () => {
    for (const page of ofForeign) {
      const { recording } = await page.run();
      const { path } = decodeRecording(recording);
      const { unheard_s = [] } = recording.motion;
      const { from_s, to_s } = page.cut;
      for (const [from, to] of unheard_s) {
        expect(from + page.began_s).toBeGreaterThan(from_s - POLL_S - REPORT_S);
        expect(to + page.began_s).toBeLessThan(to_s + POLL_S + REPORT_S);
      }
      const isMarked = (at_s: number) => unheard_s.some(([from, to]) => at_s > from && at_s < to);
      for (const { at_s, joints } of truth) {
        const time_s = at_s - page.began_s;
        if (time_s < 0 || time_s > path.duration_s || isMarked(time_s)) continue;
        sampleTimedPath(path, time_s, drawn);
        const away = Math.max(...joints.map((angle, j) => Math.abs(angle - drawn.joints[j]!)));
        expect(away, `${page.cut.from_s} to ${page.cut.to_s} at ${at_s}`).toBeLessThan(CLOSE_RAD);
      }
    }
  });

  it('says on the first line of its report that something is missing', async () => {
    const gapped = [];
    for (const page of ofForeign) {
      const kept = await page.run();
      if (kept.recording.motion.unheard_s) gapped.push(reportOf(kept).report!.verdict);
    }
    expect(gapped.length).toBeGreaterThan(CUTS / 2);
    for (const verdict of gapped) expect(verdict).toMatch(/^Incomplete: nothing was heard /);
  });
});
