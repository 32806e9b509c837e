/**
 * All rules in the order in which they run; rules that move the arm or install updates come late.
 */

import { BUILD_RULES } from './build-rules.ts';
import { CALCULATION_RULES, INFORMATION_RULES } from './calculation-rules.ts';
import { CLEANUP_RULES } from './cleanup-rules.ts';
import { CONNECTION_RULES } from './connection-rules.ts';
import { CONTROL_RULES, TIMELINE_RULES } from './control-rules.ts';
import { DATA_RULES } from './data-rules.ts';
import { FAULT_RULES } from './fault-rules.ts';
import { HTTP_HEADER_RULES, HTTP_RULES } from './http-rules.ts';
import { LOCK_RULES } from './lock-rules.ts';
import { MOTION_RULES } from './motion-rules.ts';
import type { Rule } from './rule.ts';
import { SEED_RULES } from './seed-rules.ts';
import { SESSION_RULES } from './session-rules.ts';
import { SIM_CELL_RULES, SIM_CONTACT_RULES } from './sim-cell-rules.ts';
import { SIM_CLEANUP_RULES } from './sim-cleanup-rules.ts';
import { SIM_RULES } from './sim-rules.ts';
import { SIM_SCOPE_RULES } from './sim-scope-rules.ts';
import { SIM_SNAPSHOT_RULES } from './sim-snapshot-rules.ts';
import { SIM_TIMING_RULES } from './sim-timing-rules.ts';
import { TOOLPATH_RULES } from './toolpath-rules.ts';
import { UNSAVED_RULES } from './unsaved-rules.ts';
import { USER_RULES } from './user-rules.ts';
import { WEBHOOK_RULES } from './webhook-rules.ts';
import { WORKCELL_RULES } from './workcell-rules.ts';
import { WORKFLOW_RULES } from './workflow-rules.ts';

export const RULES: readonly Rule[] = [
  ...HTTP_RULES,
  ...HTTP_HEADER_RULES,
  ...SESSION_RULES,
  ...USER_RULES,
  ...LOCK_RULES,
  ...CALCULATION_RULES,
  ...TOOLPATH_RULES,
  ...UNSAVED_RULES,
  ...BUILD_RULES,
  ...DATA_RULES,
  ...CONTROL_RULES,
  ...MOTION_RULES,
  ...TIMELINE_RULES,
  ...CLEANUP_RULES,
  ...INFORMATION_RULES,
  ...WORKCELL_RULES,
  ...WORKFLOW_RULES,
  ...WEBHOOK_RULES,
  ...SIM_CLEANUP_RULES,
  ...SIM_RULES,
  ...SIM_SNAPSHOT_RULES,
  ...SIM_TIMING_RULES,
  ...SIM_CONTACT_RULES,
  ...SIM_CELL_RULES,
  ...SIM_SCOPE_RULES,
  ...SEED_RULES,
  ...FAULT_RULES,
  ...CONNECTION_RULES,
];
