import { type Gizmo, NAMES } from './gizmo.ts';
import { HANDLE_KINDS, type Handle } from './handle-kinds.ts';

const HANDLES: readonly Handle[] = (['turn', 'move'] as const).flatMap((kind) =>
  [0, 1, 2].map((axis) => ({ kind, axis })),
);

interface GizmoProps {
  readonly gizmo: Gizmo;
}

/** An arrow or a ring; the gizmo places it, and says where the ghost is. */
function HandleLines({ gizmo, handle }: GizmoProps & { readonly handle: Handle }) {
  const name = NAMES[handle.axis]!;
  return (
    <g
      ref={(group) => {
        if (group) gizmo.groups.set(handle, group);
      }}
      class={`gizmo-handle gizmo-${handle.kind} axis-${name.toLowerCase()}`}
      role="slider"
      tabindex={0}
      aria-label={`${HANDLE_KINDS[handle.kind].verb} ${name}`}
      // Until the first frame.
      aria-valuenow={0}
      data-dragged={gizmo.dragged.value === handle ? '' : undefined}
      onPointerDown={(event) => gizmo.press(handle, event)}
      onPointerMove={(event) => gizmo.follow(event)}
      onLostPointerCapture={() => gizmo.finish()}
      onKeyDown={(event) => gizmo.step(handle, event)}
    >
      <path class="gizmo-hit" />
      <path class="gizmo-far" />
      <path class="gizmo-line" />
    </g>
  );
}

/** The handles of the gizmo, and how far one is dragged. */
export function GizmoHandles({ gizmo }: GizmoProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is laid out otherwise
    <div class="gizmo" role="group" aria-label="Gizmo">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: its handles have names */}
      <svg class="gizmo-lines">
        {HANDLES.map((handle) => (
          <HandleLines key={`${handle.kind}${handle.axis}`} gizmo={gizmo} handle={handle} />
        ))}
      </svg>
      <span
        ref={(box) => {
          gizmo.amountBox = box;
        }}
        class="glass gizmo-amount"
        hidden={gizmo.amount.value === ''}
      >
        {gizmo.amount}
      </span>
    </div>
  );
}
