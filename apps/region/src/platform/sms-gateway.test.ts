import type { Egress } from '@sealpost/egress'
import { accept, decline, Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { httpSmsGateway, smsSettings } from './sms-gateway.ts'

type Request = Parameters<Egress['sendForStatus']>[0]
const TIMINGS = { resolvedMs: 0, connectedMs: 0, answeredMs: 0, totalMs: 0 }
const sms = { id: 'row-1', to: '+31612345678', text: 'Your code is 123456.' }

function gateway(status: number | null, sent: Request[] = []) {
  const sendForStatus: Egress['sendForStatus'] = async (request) => {
    sent.push(request)
    return status === null ? decline({ kind: 'connect', code: 'ECONNREFUSED' }) : accept({ status, timings: TIMINGS })
  }
  return httpSmsGateway({ egress: { sendForStatus }, url: 'https://sms.example/send', token: new Secret('a token') })
}

test('a message is posted as JSON with the token', async () => {
  const sent: Request[] = []
  await expect(gateway(202, sent).send(sms)).resolves.toEqual({ kind: 'taken' })
  expect(sent).toMatchObject([{ method: 'POST', url: 'https://sms.example/send', body: JSON.stringify(sms) }])
  expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer a token' })
})

test.each([
  [400, 'refused'],
  [422, 'refused'],
  [401, 'failed'],
  [429, 'failed'],
  [302, 'failed'],
  [500, 'failed'],
  [null, 'failed'],
])('the answer %s means %s, and the reason names no number', async (status, kind) => {
  const outcome = await gateway(status).send(sms)
  expect(outcome).toMatchObject({ kind })
  expect(JSON.stringify(outcome)).not.toContain('612345678')
})

test('the address of the gateway is optional', () => {
  expect(smsSettings.SMS_URL.parse('')).toBeNull()
  expect(smsSettings.SMS_URL.parse('https://sms.example/send')).toBe('https://sms.example/send')
  for (const text of ['sms.example', 'ftp://sms.example']) expect(() => smsSettings.SMS_URL.parse(text)).toThrow()
})
