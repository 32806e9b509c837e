/** All rules, in the order in which they run: from the surface to what moves and installs. */
import { AFTERWARDS_RULES } from './afterwards-rules.ts';
import { BUILD_RULES } from './build-rules.ts';
import { CALCULATION_RULES } from './calculation-rules.ts';
import { CONNECTION_RULES } from './connection-rules.ts';
import { CONTROL_RULES } from './control-rules.ts';
import { DATA_RULES } from './data-rules.ts';
import { FAULT_RULES } from './fault-rules.ts';
import { HTTP_RULES } from './http-rules.ts';
import { INFORMATION_RULES } from './information-rules.ts';
import { LOCK_RULES } from './lock-rules.ts';
import { MOTION_RULES } from './motion-rules.ts';
import { PAGE_RULES } from './page-rules.ts';
import { PEOPLE_RULES } from './people-rules.ts';
import type { Rule } from './rule.ts';
import { SEED_RULES } from './seed-rules.ts';
import { SESSION_RULES } from './session-rules.ts';
import { SIM_AFTERWARDS_RULES } from './sim-afterwards-rules.ts';
import { SIM_MOMENT_RULES } from './sim-moment-rules.ts';
import { SIM_PART_RULES } from './sim-part-rules.ts';
import { SIM_RULES } from './sim-rules.ts';
import { SIM_STATE_RULES } from './sim-state-rules.ts';
import { SURFACE_RULES } from './surface-rules.ts';
import { TIMELINE_RULES } from './timeline-rules.ts';
import { TOOLPATH_RULES } from './toolpath-rules.ts';
import { UNSAVED_RULES } from './unsaved-rules.ts';
import { WORKFLOW_RULES } from './workflow-rules.ts';

export const RULES: readonly Rule[] = [
  ...HTTP_RULES,
  ...SURFACE_RULES,
  ...SESSION_RULES,
  ...PEOPLE_RULES,
  ...LOCK_RULES,
  ...CALCULATION_RULES,
  ...TOOLPATH_RULES,
  ...UNSAVED_RULES,
  ...BUILD_RULES,
  ...DATA_RULES,
  ...CONTROL_RULES,
  ...MOTION_RULES,
  ...TIMELINE_RULES,
  ...AFTERWARDS_RULES,
  ...INFORMATION_RULES,
  ...WORKFLOW_RULES,
  ...PAGE_RULES,
  ...SIM_AFTERWARDS_RULES,
  ...SIM_RULES,
  ...SIM_STATE_RULES,
  ...SIM_MOMENT_RULES,
  ...SIM_PART_RULES,
  ...SEED_RULES,
  ...FAULT_RULES,
  ...CONNECTION_RULES,
];
