import { addDevice, bodyOf, enroll, listOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openTerminal, type RunningCommand } from './testing.ts'

const CARDS = '/api/customer/2fa/challenges'

const world = await openWorld()
const service = await world.service([])
const { person } = await world.customer(service, [])
const terminal = openTerminal({
  SEALPOST_FRONT_DOOR: world.frontDoor.url,
  SEALPOST_CLIENT_ID: service.client.clientId,
  SEALPOST_CLIENT_SECRET: service.client.clientSecret,
})
world.onEnd(async () => terminal[Symbol.dispose]())
await bodyOf(service.portal('PUT', `${service.path}/number-matching`, { body: { number_matching: true } }))
await enroll(world, service.client, person)
const { sign } = await addDevice(person)

async function cards(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return listOf((await bodyOf(person.calls('GET', CARDS)))['challenges'])
}

/** The card that the command has raised. */
async function cardOf(context: string): Promise<string> {
  await expect.poll(async () => (await cards()).map((card) => card['context'])).toContain(context)
  return String((await cards()).find((card) => card['context'] === context)?.['id'])
}

const documents = ({ out }: RunningCommand) => out.map((line): unknown => JSON.parse(line))

test('the digits are printed, and the approval of the person ends the command with 0', async () => {
  const running = terminal.start('approve', person.shareCode, '--context', 'Login from Bern')
  const id = await cardOf('Login from Bern')
  const [, digits] = /^type (\d\d) in the app$/.exec(running.out[0] ?? '') ?? []
  const body = { matching_digits: digits, assertion: sign(id) }
  await bodyOf(person.calls('POST', `${CARDS}/${id}/approve`, { body }))
  expect(await running.ended).toBe(0)
  expect(running.out).toEqual([`type ${digits} in the app`, 'approved'])
  expect(running.logged).toEqual([`waiting for the person until ${world.time(300_000)}`])
})

test('a denial ends it with 1; for programs there is a line with the digits and one with the outcome', async () => {
  const running = terminal.start('approve', person.shareCode, '--context', 'Denied', '--json')
  const id = await cardOf('Denied')
  const raised = { challenge_id: id, status: 'pending', expires_at: world.time(300_000) }
  expect(documents(running)).toEqual([{ ...raised, matching_digits: expect.stringMatching(/^\d\d$/) }])
  await bodyOf(person.calls('POST', `${CARDS}/${id}/deny`))
  expect(await running.ended).toBe(1)
  expect(documents(running).at(-1)).toEqual({ challenge_id: id, status: 'denied' })
  expect(running.logged).toEqual([JSON.stringify({ error: 'the login was not approved' })])
})

test('a challenge without an answer is refused when it has expired, and one key finds one challenge', async () => {
  const words = ['approve', person.shareCode, '--context', 'Late', '--idempotency-key', 'login-7', '--json']
  const running = [terminal.start(...words), terminal.start(...words)]
  const id = await cardOf('Late')
  await expect.poll(() => running.map(({ out }) => out.length)).toEqual([1, 1])
  expect(running.map((one) => documents(one)[0])).toEqual(
    [running[0], running[0]].map((one) => one && documents(one)[0]),
  )
  world.clock.advance(300_000)
  expect(await Promise.all(running.map(({ ended }) => ended))).toEqual([1, 1])
  // One of them has read the outcome; for the other it is not known for certain.
  expect(running.flatMap((one) => documents(one).slice(1))).toEqual(
    expect.arrayContaining([
      { challenge_id: id, status: 'expired' },
      { challenge_id: id, status: 'unclear' },
    ]),
  )
})

test('a person who has not enrolled is refused, and Ctrl-C ends the wait', async () => {
  const stranger = await world.person()
  const refused = await terminal.run('approve', stranger.shareCode)
  expect(refused).toMatchObject({ code: 1, out: '', logged: expect.stringMatching(/^sealpost: /) })
  const running = terminal.start('approve', person.shareCode, '--context', 'Interrupted')
  await cardOf('Interrupted')
  expect(await running.interrupt()).toBe(1)
  expect(running.logged.at(-1)).toContain('stopped before there was an answer')
  expect((await terminal.run('approve')).code).toBe(2)
})
