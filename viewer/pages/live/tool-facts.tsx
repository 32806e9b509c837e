import { PAYLOAD_MAX_KG } from '../../../physics/arm/arm-model.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { decimal } from '../../ui/value-text.ts';

/** What is known of the tool of the loaded toolpath, each with its unit. */
function toolFacts({ loaded }: ArmView): readonly (readonly [value: string, unit: string])[] {
  if (!loaded) return [];
  const { tcp_config: tool, payload } = loaded.toolpath.metadata;
  const load = [decimal(payload, 2), `kg of ${PAYLOAD_MAX_KG}`] as const;
  if (!tool) return [['none', ''], load];
  const length = `z ${decimal(tool.offsets.z * 1000, 1)}`;
  return [[length, 'mm'], [`r ${decimal(tool.radius * 1000, 1)}`, 'mm'], load];
}

/** The tool of the loaded toolpath: length, radius and load. */
export function ToolFacts({ view }: { readonly view: ArmView }) {
  const facts = toolFacts(view);
  if (facts.length === 0) return '–';
  return facts.map(([value, unit]) => (
    <span key={value} class="tool-fact">
      {value}
      <span class="unit">{unit}</span>
    </span>
  ));
}
