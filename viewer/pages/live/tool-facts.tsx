import { PAYLOAD_MAX_KG } from '../../../physics/arm/arm-model.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { decimal } from '../../ui/value-text.ts';

/** What is known of the tool of the loaded toolpath, each with its unit. */
function toolFacts({ loaded }: ArmView): readonly (readonly [value: string, unit: string])[] {
  if (!loaded) return [];
  const { tcp_config: tool, payload } = loaded.toolpath.metadata;
  const load = [decimal(payload, 2), `kg of ${PAYLOAD_MAX_KG}`] as const;
  if (!tool) return [load];
  const length = `z ${decimal(tool.offsets.z * 1000, 1)}`;
  return [[length, 'mm'], [`r ${decimal(tool.radius * 1000, 1)}`, 'mm'], load];
}

/** What the tool is called: as the grippers of the cell are. */
function toolName({ loaded, sim }: ArmView): string {
  const names = sim?.cell?.description.grippers?.map(({ name }) => name) ?? [];
  if (names.length > 0) return names.join(', ');
  if (!loaded) return '–';
  return loaded.toolpath.metadata.tcp_config ? '' : 'none';
}

/** The tool: its name, and length, radius and load for the loaded toolpath. */
export function ToolFacts({ view }: { readonly view: ArmView }) {
  const name = toolName(view);
  return (
    <>
      {name && <span class="tool-name">{name}</span>}
      {toolFacts(view).map(([value, unit]) => (
        <span key={value} class="tool-fact">
          {value}
          <span class="unit">{unit}</span>
        </span>
      ))}
    </>
  );
}
