/**
 * Security of what unauthenticated clients reach: the content security policy of the pages, and the
 * timing of log-ins.
 */
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { timedCall, withTwinProcess } from './twin-process.ts';

const FLAGS = ['--driver', 'fast', '--log-level', 'silent'];
/** Directives of a policy that would allow code injection, or a call to any host. */
const LOOSE =
  /unsafe-inline|unsafe-eval|(?:script|default|style)-src[^;]*(?:\*|https?:|data:)|connect-src[^;]*(?:\*|(?:https?|wss?):(?!\/\/))/;
/** Inline code, which the policy forbids on pages. */
const INLINE = /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:/i;

const policy: RobustnessCheck = {
  id: 'page-policy',
  fault: 'user text that is executed as code on the pages',
  goal: 'a policy without inline code and eval, and pages that need neither',
  in: 'npm test',
  run: () =>
    withTwinProcess(FLAGS, async ({ url }) => {
      const problems: string[] = [];
      for (const path of ['/', '/docs/']) {
        const reply = await fetch(url + path);
        const text = await reply.text();
        const header = reply.headers.get('content-security-policy') ?? '';
        if (!/script-src 'self'/.test(header) || LOOSE.test(header))
          problems.push(`${path}: ${header}`);
        if (INLINE.test(text)) problems.push(`${path}: ${INLINE.exec(text)?.[0]}`);
        if (reply.headers.get('x-content-type-options') !== 'nosniff') {
          problems.push(`${path}: header x-content-type-options is not nosniff`);
        }
      }
      return outcomeOf(`2 pages, ${problems.length} violations`, {
        [problems.join('; ')]: problems.length === 0,
      });
    }),
};

/** Tries per user; fewer than the failures that trigger the rate limit. */
const TRIES = 4;

const timing: RobustnessCheck = {
  id: 'log-in-timing',
  fault: 'a client that times log-ins to find out which users exist',
  goal: 'an unknown user is rejected at most twice as fast as a wrong password',
  in: null,
  run: () =>
    withTwinProcess([...FLAGS, '--admin-email', 'ada@example.org'], async ({ url }) => {
      const headers = { 'Content-Type': 'application/json' };
      const timed = async (email: string) => {
        const body = JSON.stringify({ email, password: 'wrong' });
        const given = { method: 'POST', headers, body };
        const { status, duration_ms } = await timedCall(`${url}/api/v1/auth/login`, given);
        return status === 401 ? duration_ms : Number.NaN;
      };
      await timed('warm@example.org');
      const known: number[] = [];
      const unknown: number[] = [];
      for (let count = 0; count < TRIES; count++) {
        known.push(await timed('ada@example.org'));
        unknown.push(await timed('bob@example.org'));
      }
      const [known_ms, unknown_ms] = [Math.min(...known), Math.min(...unknown)];
      const ratio = unknown_ms / known_ms;
      return outcomeOf(
        `at least ${known_ms.toFixed(0)} ms known, ${unknown_ms.toFixed(0)} ms unknown`,
        { similar: ratio > 0.5 && ratio < 2 },
      );
    }),
};

export const webSecurityChecks: readonly RobustnessCheck[] = [policy, timing];
