import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flowAuthor, openWorld, ROOT, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { pdfWith } from '../sharing/pictures.ts'
import { servicePem } from './service-pem.ts'
import { openGuide } from './snippets.ts'
import { personVariables, serviceVariables } from './variables.ts'

const SOON = { timeout: scaled(60_000) }
const FILE = 'docs/guides/run-a-flow.md'
const TEXT = readFileSync(join(ROOT, FILE), 'utf8')
const PAYSLIP = pdfWith('a payslip')

const world = await openWorld()
const guide = await openGuide(FILE, world)
const service = await world.service([])
const mara = await world.person({ region: 'us' })
const connectionId = await mara.connected(service)
const [, definition = ''] = /^```json definition\n(.+?)^```$/ms.exec(TEXT) ?? []
const { flowId } = await flowAuthor(service).published(JSON.parse(definition) as object)
const ran = new Set<string>()
const inFolder = (name: string): string => join(guide.folder, name)
writeFileSync(inFolder('service.pem'), await servicePem(service))
writeFileSync(inFolder('private.der'), mara.keys.privateKey.reveal())
writeFileSync(inFolder('payslip.pdf'), PAYSLIP)

/** Of the run that the first test starts. */
let runId = ''

function run(name: string): Promise<string> {
  ran.add(name)
  return guide.run(name, {
    ...serviceVariables(world, service),
    ...personVariables(mara),
    CONNECTION_ID: connectionId,
    FLOW_ID: flowId,
    RUN_ID: runId,
  })
}

test('the run of the guide is started once, by a program that may run twice', async () => {
  const started = await run('start')
  expect(started).toMatch(/^[0-9a-f-]{36} awaiting_us$/)
  expect(await run('start')).toBe(started)
  runId = started.split(' ')[0] ?? ''
})

test('the company takes its turn, and the picture is the one of the guide', async () => {
  expect(await run('ask')).toMatch(/^amount value_invalid .+\nawaiting_tenant about$/)
  const [, , drawn] = /^```sh picture\n(.+?)^```\n\n```mermaid\n(.+?)^```$/ms.exec(TEXT) ?? []
  expect(await run('picture')).toBe(drawn?.trim())
})

test('the customer sees the step, answers it and adds a file', async () => {
  const path = `/api/company-connections/${connectionId}/flow-runs/${runId}`
  await expect.poll(async () => (await mara.calls('GET', path)).status, SOON).toBe(200)
  expect(await run('fill')).toBe(
    ['The deposit is 1500, of which 750 is due now.', 'move_in missing', 'then Income', 'awaiting_us'].join('\n'),
  )
})

test('the company reads the answers and finishes, and they are values of the connection', async () => {
  const lines = (await run('finish')).split('\n').map((line) => line.trim())
  expect(lines).toEqual([
    'us amount 1500',
    'tenant income a file',
    'tenant move_in 2027-03-01',
    'tenant pets a cat private',
    'completed',
  ])
  expect(readFileSync(inFolder('received.pdf')).equals(PAYSLIP)).toBe(true)
  expect(await run('values')).toBe('2027-03-01 unsigned')
})

test('events and the command tell the same', async () => {
  expect((await run('follow')).split('\n')).toEqual([
    `${runId} turn of us`,
    `${runId} turn of tenant`,
    `${runId} turn of us`,
    `${runId} completed`,
  ])
  expect(await run('show')).toContain('  [x] proof     tenant: Income\n        income: a file\n        -> decision')
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
