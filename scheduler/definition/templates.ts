/**
 * Templates of a definition: steps that are written once and done on each piece of a list. They are
 * a notation: a definition is checked, stored and shown with the tasks that its templates make.
 */

import { pointerSegment } from '../../contract/json-pointer.ts';
import { limits } from '../../contract/limits.ts';
import type { TemplateStep, WorkflowTemplate } from '../../contract/types.generated.ts';
import { childPointer, type DefinitionError, DefinitionFindings } from './definition-findings.ts';

/** A definition without templates. */
export interface ExpandedDefinition {
  readonly document: unknown;
  /** What is wrong with the templates; the document is then as it was sent. */
  readonly errors: readonly DefinitionError[];
  readonly warnings: readonly string[];
  readonly origins: TemplateOrigins;
}

/** Where a task or limit of an expanded document comes from. */
interface Origin {
  readonly path: string;
  readonly piece: string;
}

/** The origins by the places of the tasks and limits in the expanded document. */
export type TemplateOrigins = ReadonlyMap<string, Origin>;

/** One piece for which a template is expanded; `n` counts the pieces of the template from 1. */
interface Piece {
  readonly id: string;
  readonly n: number;
}

type Members = Readonly<Record<string, unknown>>;

const TASKS = '/workflow/tasks';
const LIMITS = '/workflow/time_constraints';
const TEMPLATES = '/workflow/templates';

/** A copy of a value in which `{labware}` and `{n}` stand for a piece; `{n}` alone is a number. */
function filled(value: unknown, piece: Piece): unknown {
  if (value === '{n}') return piece.n;
  if (typeof value === 'string') return filledText(value, piece);
  if (Array.isArray(value)) return value.map((one) => filled(one, piece));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, one]) => [filledText(key, piece), filled(one, piece)]),
  );
}

function filledText(text: string, { id, n }: Piece): string {
  return text.replaceAll('{labware}', () => id).replaceAll('{n}', String(n));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Members)
    : {};
}

class Expansion {
  readonly findings = new DefinitionFindings();
  readonly tasks: Record<string, unknown>;
  readonly constraints: unknown[];
  /** By the place in the expanded document. */
  readonly origins = new Map<string, Origin>();
  private readonly labware: ReadonlySet<unknown>;
  /** The task that a piece comes from, by the piece. */
  private readonly last = new Map<string, string>();
  private size_bytes = 0;

  constructor(workflow: Members) {
    this.tasks = { ...membersOf(workflow['tasks']) };
    this.constraints = [...listOf(workflow['time_constraints'])];
    this.labware = new Set(listOf(workflow['labware']).map((one) => membersOf(one)['id']));
  }

  /** Adds the tasks and limits of a template; finds what is wrong with it. */
  add(template: WorkflowTemplate, path: string): void {
    if (!this.hasNames(template, path) || !this.hasRoom(template, path)) return;
    template.for_each.forEach((id, i) => {
      const piece = { id, n: i + 1 };
      template.steps.forEach((_, k) => void this.addStep(template, k, { piece, path }));
      (template.time_constraints ?? []).forEach((limit, k) => {
        const made = {
          ...membersOf(filled(limit, piece)),
          id: `${filledText(limit.id, piece)}_${id}`,
          start_task_id: taskName(template, limit.start_task_id, piece),
          end_task_id: taskName(template, limit.end_task_id, piece),
        };
        const at = childPointer(LIMITS, this.constraints.length);
        this.origins.set(at, { path: childPointer(`${path}/time_constraints`, k), piece: id });
        this.grow(made, path);
        this.constraints.push(made);
      });
    });
  }

  private hasNames({ for_each, steps }: WorkflowTemplate, path: string): boolean {
    const before = this.findings.errors.length;
    for_each.forEach((id, i) => {
      const at = childPointer(`${path}/for_each`, i);
      if (!this.labware.has(id)) this.findings.add(at, `there is no labware ${id}`);
      if (for_each.indexOf(id) < i) this.findings.add(at, `${id} is named twice`);
    });
    const ids = steps.map(({ id }) => id);
    ids.forEach((id, k) => {
      const at = `${childPointer(`${path}/steps`, k)}/id`;
      if (ids.indexOf(id) < k) this.findings.add(at, `${id} is used twice`);
    });
    return this.findings.errors.length === before;
  }

  private hasRoom({ for_each, steps }: WorkflowTemplate, path: string): boolean {
    const count = Object.keys(this.tasks).length + for_each.length * steps.length;
    const most = limits.workflow_tasks;
    if (count > most)
      this.findings.add(path, `makes them ${count} tasks; at most ${most} are planned`);
    return count <= most;
  }

  /** Counts what a template makes; a long text in a step is made for each piece. */
  private grow(made: unknown, path: string): boolean {
    const before_bytes = this.size_bytes;
    const most_bytes = limits.body_toolpath_bytes;
    this.size_bytes += JSON.stringify(made).length;
    if (before_bytes <= most_bytes && this.size_bytes > most_bytes) {
      this.findings.add(
        path,
        `makes more than ${most_bytes} bytes; shorten the texts of its steps`,
      );
    }
    return this.size_bytes <= most_bytes;
  }

  private addStep(
    template: WorkflowTemplate,
    k: number,
    { piece, path }: { readonly piece: Piece; readonly path: string },
  ): void {
    const step = template.steps[k]!;
    const name = taskName(template, step.id, piece);
    const at = childPointer(`${path}/steps`, k);
    if (Object.hasOwn(this.tasks, name)) {
      this.findings.add(`${at}/id`, `makes the task ${name}, which there is already`);
      return;
    }
    const task = this.taskOf(template, step, piece);
    if (!this.grow(task, path)) return;
    this.origins.set(childPointer(TASKS, name), { path: at, piece: piece.id });
    this.tasks[name] = { ...task, id: name };
    this.last.set(piece.id, name);
  }

  private taskOf(template: WorkflowTemplate, step: TemplateStep, piece: Piece): object {
    const { id: _, destination_slot, dependencies, labware_sources, ...rest } = step;
    const only_if = conditionsFor(template, Reflect.get(rest, 'only_if'), piece);
    const source_task = this.last.get(piece.id);
    const slot = filled(destination_slot, piece);
    const own = {
      ...(source_task === undefined
        ? { type: 'stored_labware' }
        : { type: 'labware_source', source_task }),
      labware_id: piece.id,
      ...(slot === undefined ? {} : { destination_slot: slot }),
    };
    const others = membersOf(filled(labware_sources, piece));
    return {
      ...membersOf(filled(rest, piece)),
      ...(only_if !== undefined && { only_if }),
      labware_sources: { [piece.id]: own, ...others },
      ...(dependencies && {
        dependencies: dependencies.map((name) => taskName(template, name, piece)),
      }),
    };
  }
}

/** An error of an expanded document, with its place in the document as it was sent. */
export function errorAsSent(error: DefinitionError, origins: TemplateOrigins): DefinitionError {
  const { path, message } = error;
  // The place of a task or a limit: `/workflow/tasks/name`.
  const [place = ''] = /^(\/[^/]*){3}/.exec(path) ?? [];
  const origin = origins.get(place);
  if (!origin) return error;
  const inner = path.slice(place.length);
  const own = `/labware_sources${pointerSegment(origin.piece)}`;
  const within = inner.startsWith(own) ? inner.slice(own.length) : inner;
  return { path: origin.path + within, message: `${message} (for ${origin.piece})` };
}

/** The name of the task that a name in a template means for a piece: of a step, or of any task. */
function taskName({ steps }: WorkflowTemplate, name: string, piece: Piece): string {
  const isStep = steps.some(({ id }) => id === name);
  return isStep ? `${name}_${piece.id}` : filledText(name, piece);
}

/** The conditions of a step for a piece; whatever else they are is left to the check of the task. */
function conditionsFor(template: WorkflowTemplate, given: unknown, piece: Piece): unknown {
  if (!Array.isArray(given)) return filled(given, piece);
  return given.map((one: unknown) => {
    const { task_id, ...rest } = membersOf(one);
    if (typeof task_id !== 'string') return one;
    return { ...membersOf(filled(rest, piece)), task_id: taskName(template, task_id, piece) };
  });
}

/** Makes the tasks and limits of the templates of a document. */
export function expandTemplates(document: unknown): ExpandedDefinition {
  const { workflow } = membersOf(document);
  const { templates, ...rest } = membersOf(workflow);
  const asIs = { document, errors: [], warnings: [], origins: new Map() };
  if (!Array.isArray(templates) || templates.length === 0) return asIs;
  const expansion = new Expansion(rest);
  const { findings, tasks, constraints } = expansion;
  templates.forEach((one: unknown, i) => {
    const path = childPointer(TEMPLATES, i);
    const template = findings.read('WorkflowTemplate', one, path);
    if (template) expansion.add(template, path);
  });
  const { errors, warnings } = findings;
  if (errors.length > 0) return { ...asIs, errors, warnings };
  const expanded = {
    ...rest,
    tasks,
    ...(constraints.length > 0 && { time_constraints: constraints }),
  };
  const { origins } = expansion;
  return { document: { ...membersOf(document), workflow: expanded }, errors, warnings, origins };
}
