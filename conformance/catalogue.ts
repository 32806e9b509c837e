/**
 * All rules in the order in which they run; rules that move the arm or install updates come late.
 */
import type { Rule } from './rule.ts';
import { BUILD_RULES } from './rules/build-rules.ts';
import { CALCULATION_RULES } from './rules/calculation-rules.ts';
import { CLEANUP_RULES } from './rules/cleanup-rules.ts';
import { CONNECTION_RULES } from './rules/connection-rules.ts';
import { CONTROL_RULES } from './rules/control-rules.ts';
import { DATA_RULES } from './rules/data-rules.ts';
import { FAULT_RULES } from './rules/fault-rules.ts';
import { HTTP_HEADER_RULES } from './rules/http-header-rules.ts';
import { HTTP_RULES } from './rules/http-rules.ts';
import { INFORMATION_RULES } from './rules/information-rules.ts';
import { LOCK_RULES } from './rules/lock-rules.ts';
import { MOTION_RULES } from './rules/motion-rules.ts';
import { SEED_RULES } from './rules/seed-rules.ts';
import { SESSION_RULES } from './rules/session-rules.ts';
import { SIM_CELL_RULES } from './rules/sim-cell-rules.ts';
import { SIM_CLEANUP_RULES } from './rules/sim-cleanup-rules.ts';
import { SIM_CONTACT_RULES } from './rules/sim-contact-rules.ts';
import { SIM_RULES } from './rules/sim-rules.ts';
import { SIM_SCOPE_RULES } from './rules/sim-scope-rules.ts';
import { SIM_SNAPSHOT_RULES } from './rules/sim-snapshot-rules.ts';
import { SIM_TIMING_RULES } from './rules/sim-timing-rules.ts';
import { TIMELINE_RULES } from './rules/timeline-rules.ts';
import { TOOLPATH_RULES } from './rules/toolpath-rules.ts';
import { UNSAVED_RULES } from './rules/unsaved-rules.ts';
import { USER_RULES } from './rules/user-rules.ts';
import { WEBHOOK_RULES } from './rules/webhook-rules.ts';
import { WORKCELL_RULES } from './rules/workcell-rules.ts';
import { WORKFLOW_RULES } from './rules/workflow-rules.ts';

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
