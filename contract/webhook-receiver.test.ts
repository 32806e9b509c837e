/** Deliveries that receivers verify: Standard Webhooks, and hostile requests. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { eventOf, NOW_MS, OTHER, options, SECRET, signed, wrong } from './signed-event.cases.ts';
import type { RunEvent } from './types.generated.ts';
import { checkSecrets, verifyWebhook, WebhookRejected } from './webhook-receiver.ts';

describe('verifyWebhook', () => {
  it('accepts what another implementation has signed, also with the secret before', async () => {
    const event = eventOf(3);
    const verified = { id: 'msg_1', attempt: 2, event };
    expect(await verifyWebhook(signed(event), options)).toEqual(verified);
    const both = { ...options, secrets: [OTHER, SECRET] };
    expect(await verifyWebhook(signed(event, OTHER), both)).toEqual(verified);
    const { headers, body } = signed(event);
    const asHeaders = { headers: new Headers(headers), body };
    expect(await verifyWebhook(asHeaders, options)).toEqual(verified);
    const two = `v1,${btoa('no signature')} v2,x ${headers['webhook-signature']}`;
    const several = { headers: { ...headers, 'webhook-signature': two }, body };
    expect(await verifyWebhook(several, options)).toEqual(verified);
  });

  it('rejects changes of signed parts, foreign secrets, old and future ones', async () => {
    const good = signed(eventOf(3));
    const changed = (headers: Record<string, string | undefined>, body = good.body) => {
      return { headers: { ...good.headers, ...headers }, body };
    };
    const hostile = [
      changed({}, good.body.replace('1', '2')),
      changed({ 'webhook-id': 'msg_2' }),
      changed({ 'webhook-timestamp': String(NOW_MS / 1000 + 1) }),
      changed({ 'webhook-signature': undefined }),
      changed({ 'webhook-signature': 'v1,' }),
      changed({ 'webhook-signature': 'v1,%%%' }),
      changed({ 'x-hook-type': 'constructor' }),
      changed({ 'x-hook-sequence': '-1' }),
      changed({ 'x-hook-attempt': '' }),
      signed(eventOf(3), OTHER),
      signed(eventOf(3), SECRET, NOW_MS - 301_000),
      signed(eventOf(3), SECRET, NOW_MS + 301_000),
    ];
    for (const request of hostile) {
      await expect(verifyWebhook(request, options)).rejects.toThrow(WebhookRejected);
    }
    const text = { headers: signed(eventOf(1)).headers, body: 'no JSON' };
    const sign = new Webhook(SECRET).sign('msg_1', new Date(NOW_MS), text.body);
    text.headers['webhook-signature'] = sign;
    await expect(verifyWebhook(text, options)).rejects.toThrow('no JSON object');
  });
});

/** Arguments of another kind, as plain JavaScript or a missing variable gives them. */
describe('the arguments of verifyWebhook', () => {
  const old = signed(eventOf(1), SECRET, 1_500_000_000_000);

  it('are checked, so that no wrong one turns the check of the age off', async () => {
    const cases = [
      [{ now_ms: wrong(undefined) }, 'now_ms needs the time in ms, as Date.now() gives it'],
      [{ now_ms: Number.NaN }, 'not NaN'],
      [{ now_ms: wrong(String(NOW_MS)) }, `not the string "${NOW_MS}"`],
      [{ now_ms: Number.POSITIVE_INFINITY }, 'now_ms needs'],
      [{ now_ms: wrong(new Date(NOW_MS)) }, 'now_ms needs'],
      [{ tolerance_s: Number.NaN }, 'tolerance_s needs a number of seconds, at least 0, not NaN'],
      [{ tolerance_s: -1 }, 'not -1'],
      [{ tolerance_s: Number.POSITIVE_INFINITY }, 'not Infinity'],
      [{ tolerance_s: wrong('x') }, 'not the string "x"'],
      [{ tolerance_s: wrong('300') }, 'not the string "300"'],
      [{ tolerance_s: wrong(null) }, 'not null'],
    ] as const;
    for (const [given, message] of cases) {
      const verified = verifyWebhook(old, { ...options, ...given });
      const error = await verified.catch((cause: unknown) => cause);
      expect(error, message).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(message);
    }
    await expect(verifyWebhook(old, wrong(undefined))).rejects.toThrow('{ secrets, now_ms }');
    for (const request of [undefined, null, 'x', { body: '' }, { headers: null, body: '' }]) {
      await expect(verifyWebhook(wrong(request), options)).rejects.toThrow('{ headers, body }');
    }
    const { headers } = signed(eventOf(1));
    for (const body of [{ run_id: '7' }, undefined, null, 5]) {
      const parsed = verifyWebhook({ headers, body: wrong(body) }, options);
      await expect(parsed).rejects.toThrow('as they arrived, not parsed');
    }
  });

  it('name the secret that cannot be used, and show none', async () => {
    const good = signed(eventOf(3));
    const cases = [
      [SECRET, 'secrets needs a list of signing secrets'],
      [undefined, 'secrets needs a list'],
      [[], 'secrets needs at least one'],
      [['hello!!', SECRET], 'secrets[0] does not begin with whsec_'],
      [[SECRET, 'whsec_%%'], 'secrets[1] has something other than base64'],
      [[SECRET, OTHER, 'whsec_'], 'secrets[2] has nothing after whsec_'],
      [[SECRET, undefined], 'secrets[1] is not a string'],
    ] as const;
    for (const [secrets, message] of cases) {
      expect(() => checkSecrets(wrong(secrets))).toThrow(message);
      const verified = verifyWebhook(good, { ...options, secrets: wrong(secrets) });
      const error = await verified.catch((cause: unknown) => cause);
      expect(error, message).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(message);
      expect(String(error)).not.toContain('hello');
    }
    checkSecrets([SECRET, OTHER]);
  });

  it('may be headers with capitals or as lists, and a body in bytes', async () => {
    const event = { ...eventOf(3), body: { ...eventOf(3).body, run_id: 'é\uFEFF' } } as RunEvent;
    const { headers, body } = signed(event);
    const entries = Object.entries(headers);
    const capitals = entries.map(([name, value]) => [name.toUpperCase(), value] as const);
    const lists = entries.map(([name, value]) => [name, [value]] as const);
    for (const list of [capitals, lists]) {
      const request = { headers: Object.fromEntries<string | readonly string[]>(list), body };
      expect((await verifyWebhook(request, options)).event).toEqual(event);
    }
    const bytes = { headers, body: new TextEncoder().encode(body) };
    expect((await verifyWebhook(bytes, options)).event).toEqual(event);
    const ambiguous = { headers: { ...headers, 'webhook-id': ['msg_1', 'msg_2'] }, body };
    await expect(verifyWebhook(ambiguous, options)).rejects.toThrow('webhook-id is missing');
  });

  it('may have a malformed signature beside a good one', async () => {
    const { headers, body } = signed(eventOf(3));
    const two = { ...headers, 'webhook-signature': `v1,%%% ${headers['webhook-signature']}` };
    expect((await verifyWebhook({ headers: two, body }, options)).id).toBe('msg_1');
  });
});
