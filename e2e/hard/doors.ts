/** The doors that strangers stand before: what the page may load, and what a log-in tells. */
import { type Check, outcomeOf } from './check.ts';
import { timedCall, withProgram } from './program.ts';

const FLAGS = ['--driver', 'fast', '--log-level', 'silent'];
/** Words of a policy that would let text of users become code. */
const LOOSE = /unsafe-inline|unsafe-eval|(?:script|default|style)-src[^;]*(?:\*|https?:|data:)/;
/** What a page must not hold where inline code is forbidden. */
const INLINE = /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:/i;

const policy: Check = {
  id: 'page-policy',
  fault: 'text of users that would be code on the pages',
  goal: 'a policy without inline code and eval, on pages that need neither',
  quick: true,
  run: () =>
    withProgram(FLAGS, async ({ url }) => {
      const problems: string[] = [];
      for (const path of ['/', '/docs/']) {
        const reply = await fetch(url + path);
        const text = await reply.text();
        const said = reply.headers.get('content-security-policy') ?? '';
        if (!/script-src 'self'/.test(said) || LOOSE.test(said)) problems.push(`${path}: ${said}`);
        if (INLINE.test(text)) problems.push(`${path}: ${INLINE.exec(text)?.[0]}`);
        if (reply.headers.get('x-content-type-options') !== 'nosniff') {
          problems.push(`${path}: types may be guessed`);
        }
      }
      return outcomeOf(`2 pages, ${problems.length} too loose`, {
        [problems.join('; ')]: problems.length === 0,
      });
    }),
};

/** Fewer than the failures that are counted in a minute, in turn. */
const TRIES = 4;

const timing: Check = {
  id: 'log-in-timing',
  fault: 'a stranger who times log-ins to learn which users there are',
  goal: 'an unknown user is refused no more than twice as fast as a wrong password',
  quick: false,
  run: () =>
    withProgram([...FLAGS, '--admin-email', 'ada@example.org'], async ({ url }) => {
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
        { alike: ratio > 0.5 && ratio < 2 },
      );
    }),
};

export const doors: readonly Check[] = [policy, timing];
