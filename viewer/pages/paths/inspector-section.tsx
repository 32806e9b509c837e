import type { ComponentChildren } from 'preact';
import { Panel } from '../../ui/panel.tsx';

interface InspectorSectionProps {
  readonly name: string;
  /** Text at the end of the heading. */
  readonly end?: string;
  readonly children: ComponentChildren;
}

/** A section of the inspector. */
export function InspectorSection({ name, end = '', children }: InspectorSectionProps) {
  const aside = (
    <>
      <span class="age" />
      <span class="end">{end}</span>
    </>
  );
  return (
    <Panel name={name} end={aside}>
      {children}
    </Panel>
  );
}
